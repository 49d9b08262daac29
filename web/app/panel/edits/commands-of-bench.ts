import { captionStyleValues } from '@clear-to-post/domain/captions'
import { breakBefore, setCaptions } from '@clear-to-post/edit/commands/captions'
import { switchReason } from '@clear-to-post/edit/commands/cuts'
import { setMusic } from '@clear-to-post/edit/commands/ending'
import { setTone } from '@clear-to-post/edit/commands/sound'
import { isCorrectable, tallyOf, type Token } from '@clear-to-post/edit/passages'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { toast } from 'sonner'
import type { BenchDialogs } from './bench-dialogs.tsx'
import { effectGroup, stickerGroup } from './effects-group.tsx'
import { musicGroup } from './ending-panel.tsx'
import { focusSoon } from './focus.ts'
import type { KeyTarget } from './keys.ts'
import { messages } from './messages.ts'
import type { Selection } from './selection.ts'
import { wordsAround } from './sentence.ts'
import type { TimelinePlayer } from './timeline-player.ts'
import type { Crossfade } from './use-crossfade.ts'
import type { Before } from './use-before.ts'
import type { Workbench } from './use-bench.ts'
import type { Finish } from './use-finish.ts'
import type { Gain } from './use-gain.ts'
import type { HeldSteady } from './use-held-steady.ts'
import type { InHand } from './use-in-hand.ts'
import type { LaidOver } from './use-laid-over.ts'
import type { Line } from './use-line.ts'
import type { Marks } from './use-marks.ts'
import type { Networks } from './use-networks.ts'
import type { Order } from './use-order.ts'
import type { Tab } from './use-tab.ts'
import type { Chosen } from './use-transcript-selection.ts'
import type { Tries } from './use-tries.ts'
import type { Turn } from './use-turn.ts'
import { soundWords } from './words/sound.ts'

type Parts = {
  bench: Workbench
  player: TimelinePlayer
  flat: readonly Token[]
  chosen: Chosen
  select: (selection: Selection | null, how: 'click' | 'extend') => void
  tries: Tries | null | undefined
  inHand: InHand
  order: Order
  laid: LaidOver
  finish: Finish
  dialogs: BenchDialogs
  tab: Tab
  line: Line
  marks: Marks
  gain: Gain
  turn: Turn
  steady: HeldSteady
  crossfade: Crossfade
  networks: Networks
  before: Before
  toggleBeat: () => Promise<unknown>
  toggleFullscreen: () => void
}

/** What the workbench’s keys and its palette call: each command of `keys.ts`, done with what is on the bench now. */
export const commandsOf = (parts: Parts): KeyTarget => {
  const { bench, player, flat, chosen, inHand, laid, finish, dialogs, tab } = parts
  const { recipe, mayWrite } = bench
  const { words } = chosen
  return {
    player,
    cut: () => {
      if (inHand.isRemovable) inHand.remove()
      // Delete is about what is in hand, and a caption has nothing to be taken out: its words are cut in the transcript.
      else if (!inHand.captions.held) chosen.cut()
    },
    cover: laid.cover,
    otherTry: () => parts.tries?.next(),
    title: () => laid.writeTitle(laid.heard.length > 0 ? 'words' : 'name'),
    split: inHand.pieces.split,
    trim: inHand.pieces.trim,
    take: inHand.takeEnd,
    toCut: inHand.pieces.toCut,
    nudge: inHand.nudge,
    order: parts.order.step,
    line: parts.line,
    several: inHand.several,
    copies: inHand.copies,
    move: inHand.moves.takeHere,
    person: inHand.person.ask,
    remark: { go: parts.marks.go, tick: parts.marks.tickHere },
    gain: parts.gain.add,
    voiceFade: parts.gain.toggleFade,
    captions: {
      edit: () => (inHand.captions.held ? inHand.captions.editHeld() : inHand.captions.edit()),
      find: () => dialogs.open('replace'),
      page: () => {
        const [first] = words
        if (first) bench.change(messages.did.break, breakBefore(first.word.id, first.break === 'page' ? null : 'page'))
      },
      nextStyle: () => bench.change(messages.did.style, setCaptions({ style: styleAfter(recipe.captions.style) })),
      toggle: () => {
        const { on } = recipe.captions
        bench.change(on ? messages.did.captionsOff : messages.did.captionsOn, setCaptions({ on: !on }))
      },
    },
    bRollSpeed: inHand.layers.speedBy,
    turn: parts.turn.by,
    steady: parts.steady.toggle,
    crossfade: parts.crossfade.toggle,
    tone: () => {
      const on = !(recipe.sound.tone ?? false)
      if (mayWrite) bench.change(on ? soundWords.did.toneOn : soundWords.did.toneOff, setTone(on))
    },
    correct: () => mayWrite && isCorrectable(words) && dialogs.edit(words[0]!.key),
    concern: chosen.goTo,
    accept: chosen.accept,
    mark: (end) => {
      if (end === null) inHand.letGo()
      chosen.mark(end)
    },
    undo: bench.undo,
    redo: bench.redo,
    save: () => void bench.flush().catch(() => {}),
    fullscreen: parts.toggleFullscreen,
    safe: parts.networks.toggle,
    before: parts.before.show,
    help: () => dialogs.open('help'),
    palette: () => dialogs.open('palette'),
    render: () => mayWrite && finish.render(),
    glossary: () => dialogs.open('glossary'),
    addPicture: () => mayWrite && laid.choosePicture(),
    addLogo: () => mayWrite && laid.addLogo(),
    addNext: () => laid.writeTitle('call'),
    chooseSticker: () => {
      tab.open('picture')
      focusSoon(`#${stickerGroup} button`)
    },
    chooseEffect: () => {
      tab.open('ending')
      focusSoon(`#${effectGroup} button`)
    },
    words: {
      find: () => {
        player.pause()
        dialogs.open('find')
      },
      sentence: () => {
        const all = wordsAround(flat, words)
        if (all.length > 0) parts.select({ anchor: all[0]!.key, focus: all.at(-1)!.key }, 'extend')
      },
    },
    music: {
      choose: () => {
        tab.open('ending')
        focusSoon(`#${musicGroup} button`)
      },
      onBeat: () => void parts.toggleBeat(),
      gain: (by) => {
        const { music } = recipe.sound
        if (music) bench.change(messages.did.musicLevel, setMusic({ gain: music.gain + by }), 'music gain')
        else toast.info(soundWords.noMusicYet)
      },
    },
    all: (reason) => {
      const { all, on } = tallyOf(recipe, reason)
      const name = reason === 'silence' ? messages.silences : messages.fillers
      bench.change(messages.did.all(name, on < all), switchReason(reason, on < all))
    },
    finish: { check: finish.check, watch: finish.watchFinished, send: finish.send },
  }
}

const styleAfter = (style: Recipe['captions']['style']) =>
  captionStyleValues[(captionStyleValues.indexOf(style) + 1) % captionStyleValues.length]!
