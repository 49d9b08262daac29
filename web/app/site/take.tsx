import { cx } from '../ui/cx.ts'
import take from './footage/take.json' with { type: 'json' }
import { words } from './words/home.ts'

/**
 * One take, before and after: our own footage (bin/footage.ts). The pictures stand still until home.ts plays them; the two
 * tracks below are the take's real length and pauses.
 *
 * The smaller picture stands at the foot of the larger one, which comes later in the page: until it has come, ::before holds
 * its place, or the first would sink under the reader's eyes. For the same reason a label comes after its picture.
 */
export const Take = () => (
  <figure id="take" className="mx-auto w-full max-w-120 lg:max-w-none">
    <div className="grid grid-cols-[5fr_6fr] gap-3 before:col-start-2 before:row-start-1 before:mt-6.5 before:aspect-[480/854] sm:gap-5">
      <Clip name="before" label={words.before} alt={words.beforeAlt} seconds={take.before} />
      <Clip name="after" label={words.after} alt={words.afterAlt} seconds={take.after} />
    </div>
    <div className="on-ink mt-4 grid gap-2 rounded-card bg-night p-3 sm:p-4">
      <Track name="before">
        <Wave pieces={[[0, take.before]]} />
      </Track>
      <Track name="after">
        <Wave pieces={take.kept} />
      </Track>
    </div>
    <figcaption className="mt-3 flex items-start gap-4 text-[0.8125rem] text-muted">
      <span>
        {words.cut} {words.sample}
      </span>
      <button
        type="button"
        data-play={words.play}
        data-pause={words.pause}
        className="touch ml-auto grid size-9 shrink-0 place-items-center rounded-full border border-edge bg-surface text-ink not-in-[[data-ready]]:invisible hover:bg-sunken"
      >
        <svg viewBox="0 0 16 16" aria-hidden className="size-4 fill-current">
          <path d="M4 2.5v11l9-5.5z" className="in-[[data-plays]]:hidden" />
          <path d="M4 2.5h3v11H4zM9 2.5h3v11H9z" className="not-in-[[data-plays]]:hidden" />
        </svg>
      </button>
    </figcaption>
  </figure>
)

const Clip = ({ name, label, alt, seconds }: { name: Name; label: string; alt: string; seconds: number }) => (
  <div className={cx('row-start-1 flex flex-col-reverse', name === 'after' && 'col-start-2')}>
    <video
      data-clip={name}
      muted
      loop
      playsInline
      controls
      preload="none"
      width={480}
      height={854}
      poster={`/app/site/footage/${name}.avif`}
      src={`/app/site/footage/${name}.mp4`}
      aria-label={alt}
      className={cx(
        'block aspect-[480/854] w-full bg-sunken object-cover',
        name === 'after'
          ? 'rounded-[1.25rem] ring-4 ring-primary/90 sm:rounded-[1.75rem] sm:ring-[6px]'
          : 'rounded-2xl',
      )}
    />
    <p className="mb-1.5 flex h-5 items-baseline justify-between gap-2 text-[0.8125rem] sm:text-sm">
      <span className={cx('whitespace-nowrap', name === 'after' ? 'font-semibold' : 'text-muted')}>{label}</span>
      <span className="figures text-muted max-[22rem]:hidden">{clock(seconds)}</span>
    </p>
  </div>
)

// The second track is as much shorter as the video is.
const Track = ({ name, children }: { name: Name; children: React.ReactNode }) => (
  <div
    aria-hidden
    data-track={name}
    className={cx(
      'relative h-8 rounded-md text-on-night sm:h-9 [container-type:inline-size]',
      name === 'before' ? 'w-full bg-white/8' : 'w-[70.9%] bg-[#2647e0]',
    )}
  >
    {children}
    <span className="playhead absolute -inset-y-1 left-0 w-0.5 rounded-full bg-coral opacity-0" />
  </div>
)

const step = 0.12

/**
 * Bars where somebody speaks, a dot where nobody does; between two pieces a little room. One picture: its width is known at
 * once; and one path for each colour, because three hundred rectangles would be half of the page.
 */
const Wave = ({ pieces }: { pieces: number[][] }) => {
  const bars = pieces.flatMap(([from, to], piece) =>
    Array.from({ length: Math.round((to! - from!) / step) }, (_, i) => ({ at: from! + i * step, piece })),
  )
  const drawn = bars.map(({ at, piece }, i) => {
    const speaks = take.spoken.some(([start, end]) => start! - 0.12 < at && at < end! + 0.12)
    const isKept = take.kept.some(([start, end]) => at >= start! - 0.01 && at < end!)
    const half = speaks ? Math.round(4.5 + 8.5 * Math.abs(Math.sin(at * 7.3) * 0.6 + Math.sin(at * 17.1) * 0.4)) : 1
    return { isKept, path: `M${i * 4 + piece * 2 + 2} ${16 - half}v${half * 2}` }
  })
  const pathOf = (kept: boolean) => drawn.map(({ isKept, path }) => (isKept === kept ? path : '')).join('')
  return (
    <svg
      viewBox={`0 0 ${bars.length * 4 + (pieces.length - 1) * 2} 32`}
      preserveAspectRatio="none"
      strokeWidth="2"
      className="size-full"
    >
      <path d={pathOf(true)} className="stroke-current" />
      <path d={pathOf(false)} className="stroke-coral" />
    </svg>
  )
}

type Name = 'before' | 'after'

const clock = (seconds: number): string => `0:${String(Math.round(seconds)).padStart(2, '0')}`
