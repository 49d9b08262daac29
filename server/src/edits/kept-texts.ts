import type { KitTexts } from './kit-texts.ts'

/**
 * Texts of kits, kept in memory up to so many bytes, of which one owner has a quarter at most: what makes room are the
 * owner's own, and everybody's only where they are too many together. What was asked for longest ago goes first.
 */
export class KeptTexts {
  readonly #mostBytes: number
  /** In the order in which they were asked for last. */
  readonly #kept = new Map<string, { owner: string; bytes: number; texts: KitTexts }>()

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** The bytes of all that is kept, or of what an owner has. */
  bytes(owner?: string): number {
    return [...this.#kept.values()].reduce(
      (sum, one) => sum + (owner === undefined || one.owner === owner ? one.bytes : 0),
      0,
    )
  }

  /** Texts that were kept, if they still are. */
  find(key: string): KitTexts | undefined {
    const found = this.#kept.get(key)
    if (!found) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.texts
  }

  /** Keeps these texts, unless they alone are more than their owner's part. */
  keep(key: string, owner: string, texts: KitTexts): void {
    const bytes = texts.texts.reduce((sum, { text }) => sum + text.byteLength, 2 * key.length)
    if (bytes > this.#mostBytes / 4) return
    this.#kept.delete(key)
    this.#makeRoom(bytes, this.#mostBytes / 4, owner)
    this.#makeRoom(bytes, this.#mostBytes)
    this.#kept.set(key, { owner, bytes, texts })
  }

  #makeRoom(bytes: number, most: number, owner?: string): void {
    for (const [key, one] of this.#kept) {
      if (this.bytes(owner) + bytes <= most) return
      if (owner === undefined || one.owner === owner) this.#kept.delete(key)
    }
  }
}
