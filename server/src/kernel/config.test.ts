import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('without any variable the configuration is that of the local product', () => {
  expect(readConfig({})).toMatchObject({
    port: 4000,
    host: 'localhost',
    publicUrl: 'http://localhost:4000',
    databaseUrl: undefined,
    seed: 'demo',
    isProduction: false,
  })
})

test('every invalid variable is named at once with what is expected, and no password is printed', () => {
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

test('production starts without demo data, and refuses the demo unless it is explicitly allowed', () => {
  expect(readConfig({ NODE_ENV: 'production' }).seed).toBe('none')
  expect(() => readConfig({ NODE_ENV: 'production', SEED: 'demo' })).toThrow('everybody knows')
  expect(readConfig({ NODE_ENV: 'production', SEED: 'demo', ALLOW_DEMO_IN_PRODUCTION: 'yes' }).seed).toBe('demo')
})

test('mails go to the outbox until a mail server is configured', () => {
  expect(readConfig({})).toMatchObject({ smtpUrl: undefined, mailFrom: 'Clear to Post <no-reply@localhost>' })
  const SMTP_URL = 'smtps://me:secret@mail.example.test:465'
  expect(readConfig({ SMTP_URL, MAIL_FROM: 'hello@example.test' })).toMatchObject({
    smtpUrl: SMTP_URL,
    mailFrom: 'hello@example.test',
  })
})

test('the payment sandbox is off in production unless it is explicitly allowed', () => {
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

test('stand-ins are offered only when the service listens on this machine’s own address', () => {
  for (const HOST of ['localhost', '127.0.0.1', '127.0.1.1', '::1', '[::1]'])
    expect(readConfig({ HOST }), HOST).toMatchObject({ isHosted: false, allowSandbox: true, seed: 'demo' })
  for (const HOST of ['0.0.0.0', '::', '192.168.1.20', 'video-server', 'localhost.example.test']) {
    expect(readConfig({ HOST }), HOST).toMatchObject({ isHosted: true, allowSandbox: false, seed: 'none', signIn: {} })
    expect(() => readConfig({ HOST, SIGN_IN_SANDBOX: 'on' }), HOST).toThrow('anybody sign in as anybody')
    expect(() => readConfig({ HOST, SEED: 'demo' }), HOST).toThrow('everybody knows')
  }
})

test('Google and Apple are configured completely or replaced by sandboxes, which production refuses', () => {
  const local = readConfig({}).signIn
  expect(local.google).toMatchObject({ issuer: 'http://localhost:4000/dev/sign-in/google', isSandbox: true })
  expect(local.apple?.isSandbox).toBe(true)
  expect(readConfig({ SIGN_IN_SANDBOX: 'off' }).signIn).toEqual({})
  expect(readConfig({ PUBLIC_URL: 'https://clear.example.test' }).signIn).toEqual({})
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://clear.example.test' }
  expect(() => readConfig({ ...production, SIGN_IN_SANDBOX: 'on' })).toThrow('anybody sign in as anybody')
  expect(readConfig({ ...production, SIGN_IN_SANDBOX: 'even-in-production' }).signIn.google?.isSandbox).toBe(true)

  expect(() => readConfig({ GOOGLE_CLIENT_ID: 'us' })).toThrow('GOOGLE_CLIENT_SECRET missing')
  expect(() =>
    readConfig({
      ...production,
      GOOGLE_ISSUER: 'http://localhost:1',
      GOOGLE_CLIENT_ID: 'us',
      GOOGLE_CLIENT_SECRET: 'x',
    }),
  ).toThrow('https')
  const apple = { APPLE_CLIENT_ID: 'us', APPLE_TEAM_ID: 'T', APPLE_KEY_ID: 'K' }
  expect(() => readConfig({ ...apple, APPLE_PRIVATE_KEY: '/no/such/file' })).toThrow(/path of its \.p8 file$/)
  const given = readConfig({ ...apple, APPLE_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nAAAA' }).signIn.apple
  expect(given).toMatchObject({ issuer: 'https://appleid.apple.com', isSandbox: false })
  expect(given?.secret).toMatchObject({ privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA' })
})
