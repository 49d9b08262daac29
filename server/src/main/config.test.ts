import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('nothing set: the local product', () => {
  expect(readConfig({})).toMatchObject({
    port: 4000,
    host: 'localhost',
    publicUrl: 'http://localhost:4000',
    databaseUrl: undefined,
    seed: 'demo',
    isProduction: false,
  })
})

test('every bad value is told at once, with what it should be, and without a password', () => {
  const read = () =>
    readConfig({
      PORT: '80a',
      SEED: 'all',
      PUBLIC_URL: 'https://x.test/path',
      DATABASE_URL: 'mysql://me:secret@host/x',
      SMTP_URL: 'https://me:secret@host',
      MAIL_FROM: 'nobody',
    })
  expect(read).toThrow(/PORT should be .*"80a"/)
  expect(read).toThrow(/SEED should be demo or none/)
  expect(read).toThrow(/PUBLIC_URL should be an origin/)
  expect(read).toThrow(/DATABASE_URL should be like postgres:/)
  expect(read).toThrow(/SMTP_URL should be like smtps:/)
  expect(read).toThrow(/MAIL_FROM should be like .*"nobody"/)
  expect(read).not.toThrow(/secret/)
})

test('production starts empty, and refuses the demo unless said aloud', () => {
  expect(readConfig({ NODE_ENV: 'production' }).seed).toBe('none')
  expect(() => readConfig({ NODE_ENV: 'production', SEED: 'demo' })).toThrow('everybody knows')
  expect(readConfig({ NODE_ENV: 'production', SEED: 'demo', ALLOW_DEMO_IN_PRODUCTION: 'yes' }).seed).toBe('demo')
})

test('mails stay in the outbox until a mail server is named', () => {
  expect(readConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: 'Clear to Post <no-reply@localhost>' })
  const SMTP_URL = 'smtps://me:secret@mail.example.test:465'
  expect(readConfig({ SMTP_URL, MAIL_FROM: 'hello@example.test' })).toMatchObject({
    smtpUrl: SMTP_URL,
    mailFrom: 'hello@example.test',
  })
})

test('nothing is charged by a sandbox in production, unless that was said aloud', () => {
  const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' }
  expect(readConfig({})).toMatchObject({ stripe: undefined, allowSandbox: true })
  expect(readConfig({ NODE_ENV: 'production' }).allowSandbox).toBe(false)
  expect(readConfig({ PUBLIC_URL: 'https://clear.example' }).allowSandbox).toBe(false)
  expect(readConfig({ NODE_ENV: 'production', ALLOW_SANDBOX_IN_PRODUCTION: 'yes' }).allowSandbox).toBe(true)
  expect(readConfig(STRIPE).stripe).toEqual({ secretKey: 'sk_test_abc', webhookSecret: 'whsec_abc', apiUrl: undefined })
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'sk_test_abc' })).toThrow('need each other')
  const wrong = () => readConfig({ ...STRIPE, STRIPE_SECRET_KEY: 'pk_secret' })
  expect(wrong).toThrow(/STRIPE_SECRET_KEY should be/)
  expect(wrong).not.toThrow('pk_secret')
})
