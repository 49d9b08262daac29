import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { assets, type PrompterNews } from '@clear-to-post/contract/assets'
import type { LiveEvents } from '@clear-to-post/contract/live'
import type { PrompterPress } from '@clear-to-post/domain/prompter-link'
import { send } from '../../api.ts'

/**
 * A recorder and a second device of the same person, which holds its words and is its remote control. Each says what it has to
 * say through the service, and hears the other on the stream that every page keeps open.
 */
export type PrompterState = Required<Omit<PrompterNews, 'from' | 'press'>>

/** On the recorder: says where it is to whoever has asked lately, and hears what is pressed there. */
export const usePrompterLink = (
  now: () => PrompterState,
  { phase, text, wordsAMinute }: Pick<PrompterState, 'phase' | 'text' | 'wordsAMinute'>,
  onPress: (press: PrompterPress, word: number) => void,
): boolean => {
  const [isLinked, setLinked] = useState(false)
  const lastAsked = useRef(0)
  const said = useRef<Partial<PrompterState>>({})
  const tell = useEffectEvent((isAll: boolean) => {
    const state = now()
    const { text: script, ...rest } = state
    // The script is long and seldom another one.
    const news = isAll || said.current.text !== script ? state : rest
    said.current = state
    say({ from: 'recorder', ...news })
  })
  const hear = useEffectEvent(({ press, word }: PrompterNews) => {
    lastAsked.current = Date.now()
    setLinked(true)
    if (press === 'hello') tell(true)
    else if (press) onPress(press, word ?? 0)
  })
  useEffect(() => listenTo('words', hear), [])
  useEffect(() => {
    if (isLinked) tell(false)
  }, [isLinked, phase, text, wordsAMinute])
  useEffect(() => {
    if (!isLinked) return
    const timer = setInterval(() => {
      if (Date.now() - lastAsked.current > goneAfterMs) return setLinked(false)
      const { word, isMoving } = now()
      if (word !== said.current.word || isMoving !== said.current.isMoving) tell(false)
    }, tellEveryMs)
    return () => clearInterval(timer)
  }, [isLinked, now])
  useEffect(
    () => () => {
      if (Date.now() - lastAsked.current < goneAfterMs) say({ from: 'recorder', phase: 'gone' })
    },
    [],
  )
  return isLinked
}

/**
 * On the device with the words: where the recorder is (null: none has answered), how to press its buttons, and whether it is
 * heard. What it said last stays when it is not: its take goes on all the same.
 */
export const useRecorderLink = () => {
  const [state, setState] = useState<PrompterState | null>(null)
  const [isHeard, setHeard] = useState(true)
  const press = useCallback((what: PrompterPress, word?: number) => {
    say({ from: 'words', press: what, ...(word === undefined ? {} : { word }) }, () => setHeard(false))
  }, [])
  useEffect(() => {
    let unanswered = 0
    const deaf = listenTo('recorder', (news) => {
      unanswered = 0
      setHeard(true)
      setState((before) => {
        if (news.phase === 'gone') return null
        // A recorder that was heard before it was asked has not said everything yet.
        if (before === null && news.text === undefined) return null
        const { phase, text, word, isMoving, wordsAMinute } = { ...nothing, ...before, ...known(news) }
        return { phase, text, word, isMoving, wordsAMinute }
      })
    })
    const hello = () => {
      if (unanswered >= mostUnanswered) setHeard(false)
      unanswered += 1
      press('hello')
    }
    const lost = () => setHeard(false)
    hello()
    const timer = setInterval(hello, helloEveryMs)
    addEventListener('offline', lost)
    addEventListener('online', hello)
    return () => {
      deaf()
      clearInterval(timer)
      removeEventListener('offline', lost)
      removeEventListener('online', hello)
    }
  }, [press])
  return { state, isHeard, press }
}

const nothing: PrompterState = { phase: 'ready', text: '', word: 0, isMoving: false, wordsAMinute: 150 }
const known = (news: PrompterNews): Partial<PrompterState> =>
  Object.fromEntries(Object.entries(news).filter(([, value]) => value !== undefined))

const say = (body: PrompterNews, onFailure?: () => void): void => {
  void send(assets.prompt, { body }).catch((error: unknown) => {
    console.warn('The other device was not told', error)
    onFailure?.()
  })
}

const listenTo = (from: PrompterNews['from'], hear: (news: PrompterNews) => void): (() => void) => {
  const onNews = ({ detail: { said } }: CustomEvent<LiveEvents['prompter']>) => said.from === from && hear(said)
  addEventListener('live-prompter', onNews as EventListener)
  return () => removeEventListener('live-prompter', onNews as EventListener)
}

const tellEveryMs = 600
const helloEveryMs = 5000
/** A stream that is opened anew takes some seconds. */
const mostUnanswered = 2
const goneAfterMs = 50_000
