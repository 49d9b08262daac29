import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openapi } from '../src/http/openapi.ts'
import {
  changelogFile,
  changesBetween,
  names,
  released,
  releasedShape,
  shapeOf,
  unreleasedOf,
  type Shape,
} from './contract-shape.ts'

/** docs/contract-changelog.md says what callers notice, held against the contract of the last release (contract/released.json). */
const now = JSON.parse(JSON.stringify(openapi(''))) as Record<string, never>
const page = readFileSync(changelogFile, 'utf8')
const lines = unreleasedOf(page)
const changes = changesBetween(releasedShape(), shapeOf(now))

it('each change of the contract since the last release stands in its changelog', () => {
  const unlisted = changes.filter(
    ({ subject }) => !lines.some(({ subjects }) => subjects.some((name) => names(name, subject))),
  )
  expect([
    ...new Set(unlisted.map(({ subject, place, what }) => `write a line about \`${subject}\`: ${place} ${what}`)),
  ]).toEqual([])
})

it('each change that breaks callers is said to, with what they do about it', () => {
  const breaking = changes.filter(({ breaks }) => breaks)
  const unsaid = breaking.filter(
    ({ subject }) => !lines.some((line) => line.breaks && line.subjects.some((name) => names(name, subject))),
  )
  expect(unsaid.map(({ subject, place, what }) => `\`${subject}\` breaks callers: ${place} ${what}`)).toEqual([])
})

it('each line of the changelog that is not released yet names something that has changed', () => {
  const idle = lines.filter(
    ({ subjects }) => !subjects.some((name) => changes.some(({ subject }) => names(name, subject))),
  )
  expect(idle.map(({ text }) => text)).toEqual([])
})

it('a release takes what was not released yet as its own section', () => {
  const after = released(page, '2026-12-01')
  expect(unreleasedOf(after)).toEqual([])
  expect(after).toContain(`\n## 2026-12-01\n\n${lines[0]!.text}\n`)
  expect(after.length).toBe(page.length + '\n## 2026-12-01\n'.length)
})

describe('a change breaks callers where an answer gives less or a request asks for more', () => {
  const title = { is: 'string', most: 120 }
  const call: Shape = {
    'videos.send': {
      '': { is: 'POST /api/videos/ → 201' },
      'by API key': { is: 'yes' },
      'body.title': title,
      'body.kind': { is: 'string', optional: true, values: ['tour', 'talk'] },
      'answer.id': { is: 'string uuid' },
      'answer.state': { is: 'string', values: ['new', 'done'] },
      'answer.note': { is: 'string', optional: true },
    },
  }
  const changed = (place: string, to: object | undefined) => {
    const places = { ...call['videos.send'], [place]: to } as Shape[string]
    if (to === undefined) delete places[place]
    return changesBetween(call, { 'videos.send': places }).map(({ breaks }) => breaks)
  }
  it.each<[string, string, object | undefined, boolean]>([
    ['an answer that gets a field', 'answer.more', { is: 'string' }, false],
    ['an answer that loses a field', 'answer.id', undefined, true],
    ['an answer whose field may be left out', 'answer.id', { is: 'string uuid', optional: true }, true],
    ['an answer whose field may be null', 'answer.id', { is: 'string uuid', nullable: true }, true],
    ['an answer whose field always comes', 'answer.note', { is: 'string' }, false],
    ['an answer whose field has another type', 'answer.id', { is: 'number' }, true],
    ['an answer that gets a value', 'answer.state', { is: 'string', values: ['new', 'done', 'gone'] }, false],
    ['an answer that loses a value', 'answer.state', { is: 'string', values: ['new'] }, false],
    ['a request that takes one field more', 'body.more', { is: 'string', optional: true }, false],
    ['a request that wants one field more', 'body.more', { is: 'string' }, true],
    ['a request that takes a field no more', 'body.kind', undefined, true],
    ['a request whose field may be left out', 'body.title', { ...title, optional: true }, false],
    ['a request whose field is wanted', 'body.kind', { is: 'string', values: ['tour', 'talk'] }, true],
    ['a request whose text may be longer', 'body.title', { is: 'string', most: 200 }, false],
    ['a request whose text has to be shorter', 'body.title', { is: 'string', most: 60 }, true],
    ['a request whose text gets a pattern', 'body.title', { ...title, pattern: 'x' }, true],
    [
      'a request that takes one value more',
      'body.kind',
      { is: 'string', optional: true, values: ['tour', 'talk', 'x'] },
      false,
    ],
    ['a request that takes a value no more', 'body.kind', { is: 'string', optional: true, values: ['tour'] }, true],
    ['a call at another address', '', { is: 'POST /api/video/ → 201' }, true],
    ['a call that no key makes any more', 'by API key', undefined, true],
  ])('%s', (_what, place, to, breaks) => {
    expect(changed(place, to)).toEqual([breaks])
  })

  it('of an object that is new, the object says whether it is wanted', () => {
    const withPrice = (optional: object) => ({
      'videos.send': {
        ...call['videos.send'],
        'body.price': { is: 'object', ...optional },
        'body.price.due': { is: 'integer' },
      },
    })
    const breaks = (optional: object) => changesBetween(call, withPrice(optional)).map((one) => one.breaks)
    expect([breaks({ optional: true }), breaks({})]).toEqual([
      [false, false],
      [true, false],
    ])
  })

  it('a call that is gone breaks its callers, and a new one nobody', () => {
    expect(changesBetween(call, {})).toMatchObject([{ subject: 'videos.send', breaks: true }])
    expect(changesBetween({}, call)).toMatchObject([{ subject: 'videos.send', breaks: false }])
    expect(changesBetween({}, { 'videos.send': { ...call['videos.send'] } })).toHaveLength(1)
  })
})
