import { expect, it } from 'vitest'
import { describedBy, problemBy } from './described.ts'

const asked = (method: string, address: string, json?: unknown) => {
  const { pathname: path, searchParams: query } = new URL(address, 'http://network')
  const headers: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
  return { method, path, query, headers, body: Buffer.from(json === undefined ? '' : JSON.stringify(json)) }
}

it('a request that X’s own package does not describe is refused with what is wrong', () => {
  const x = describedBy('x')
  const post = (json: unknown) => problemBy(x, asked('POST', '/2/tweets', json))
  expect(post({ text: 'Rates', media: { media_ids: ['1'] } })).toBeNull()
  expect(post({ text: 'Rates', media: { ids: ['1'] } })).toBe('body.media.media_ids is missing')
  expect(post({ text: 'Rates', media: { media_ids: '1' } })).toBe('body.media.media_ids is no list')
  expect(post({ text: 7 })).toBe('body.text is no string')
  expect(post({ words: 'Rates' })).toBe('body has no words')
  expect(post({ text: 'Rates', reply_settings: 'nobody' })).toContain('body.reply_settings is none of')
  const upload = (json: unknown) => problemBy(x, asked('POST', '/2/media/upload/initialize', json))
  expect(upload({ media_type: 'video/mp4', total_bytes: 1, media_category: 'tweet_video' })).toBeNull()
  expect(upload({ media_type: 'video/avi' })).toContain('body.media_type is none of')
  expect(problemBy(x, asked('GET', '/2/tweets?ids=1&fields=all'))).toBe('/2/tweets has no parameter fields')
  expect(problemBy(x, asked('PUT', '/2/tweets'))).toBe('there is no PUT /2/tweets')
})

it('a request that Google’s own package does not describe is refused with what is wrong', () => {
  const youtube = describedBy('youtube')
  const update = (json: unknown, query = '?part=status') =>
    problemBy(youtube, asked('PUT', `/youtube/v3/videos${query}`, json))
  expect(update({ id: 'a', status: { privacyStatus: 'public', selfDeclaredMadeForKids: false } })).toBeNull()
  expect(update({ id: 'a', status: { privacy: 'public' } })).toBe('body.status has no privacy')
  expect(update({ id: 'a', status: { embeddable: 'yes' } })).toBe('body.status.embeddable is no boolean')
  expect(update({ id: 'a' }, '')).toBe('part is missing')
  expect(problemBy(youtube, asked('GET', '/youtube/v3/videos?part=status&maxResults=many'))).toBe(
    'maxResults: many is no number',
  )
})
