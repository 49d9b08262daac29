import { expect, it } from 'vitest'
import { redacted } from './redacted.ts'

const secret = 'hunter2Zq'
const word = 'refused'

it('a secret is taken out in each of the writings in which programs quote it', () => {
  for (const said of [
    `postgres://user:pa/${secret}@host/db`,
    `postgres://user:p@${secret}@host/db`,
    `postgresql://user:${secret}@[::1]:5432/db`,
    `https://host.example:8443/x?signature=${secret}`,
    `{\\"access_token\\":\\"${secret}\\"}`,
    `{\\\\\\"access_token\\\\\\":\\\\\\"${secret}\\\\\\"}`,
    `{"password":"a\\"b ${secret}"}`,
    `{"password": "a b ${secret}"}`,
    `{"client_secret": "a b ${secret}`,
    `access_token%3D${secret}`,
    `%22refresh_token%22%3A%22${secret}%22`,
    `access_token%253D${secret}`,
    `token ${secret}`,
    `Client secret is ${secret}`,
    `the API key was ${secret}`,
    `pass=${secret}`,
    `passwd: ${secret}`,
    `PGPASSWORD=${secret}`,
    `refresh_token=a,${secret}`,
    `smtp AUTH PLAIN ${secret}`,
    `AUTH LOGIN ${secret}=`,
    `authorization: Bearer abc ${secret}`,
    `Authorization: ${secret}`,
    `{ authorization: 'Digest a b ${secret}' }`,
    `Set-Cookie: session=abc; other=${secret}`,
  ]) {
    expect(redacted(`${word} ${said}`), said).not.toContain(secret)
    expect(redacted(`${word} ${said}`), said).toContain(word)
  }
})

it('words that name no secret stay, since they say what to do', () => {
  for (const said of [
    'Unexpected token < in JSON at position 0',
    `Unexpected token 'a', "abc" is not valid JSON`,
    'the access token expired 3 days ago',
    'the password is wrong',
    'AUTH PLAIN failed',
    'code: 23505, table project',
    'GET https://mastodon.example/… was answered with 404',
  ])
    expect(redacted(said)).toBe(said)
})

it('of a line without an end no more than its beginning is read', () => {
  const tail = 'read'
  for (const long of ['https://host.example/'.padEnd(5000, 'x'), 'A1'.repeat(2500), '1 '.repeat(2500)])
    expect(redacted(`${word} ${long} ${tail} to the end`)).not.toContain(tail)
})

it('a key at the place where a long line is cut is not told in part', () => {
  for (let before = 1900; before < 2010; before++) {
    const line = `https://host.example/${'x'.repeat(before - 22)} ${secret}${secret}@mail.example AIza${secret.repeat(3)} end`
    expect(redacted(line), String(before)).not.toContain(secret.slice(0, 4))
  }
})

it('a line that fits no kind of secret is told whatever it repeats', () => {
  for (const piece of ['a-', 'a', 'a.', '1 ', '/a', 'token', 'x://', 'a:b/', 'eyJ-', '\\"', 'é', '(', "token='"]) {
    const told = redacted(`${word} ${piece.repeat(20_000)}`)
    expect([told.startsWith(word), told.length <= 400]).toEqual([true, true])
  }
})
