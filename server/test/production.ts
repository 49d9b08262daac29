/** What a service in production is given, beside its database and its folder. The names lead nowhere. */
export const productionEnv = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://video.example.test',
  SMTP_URL: 'smtps://mailer:a-long-password@mail.example.test',
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  TRUST_PROXY: 'loopback',
  METRICS_TOKEN: 'EdP3m0Zs8qVb6Kx1Wc5T',
  FCM_SERVICE_ACCOUNT: JSON.stringify({ project_id: 'p', client_email: 'c@p.test', private_key: 'k' }),
}
