import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    open: 'How to check a signature',
    title: 'Check that a message comes from us',
    close: 'Close',
    lead: 'Without it anybody could send your program anything. The format is Standard Webhooks, for which there are libraries in most languages: new Webhook(secret).verify(body, headers).',
    steps: [
      'Take the headers webhook-id, webhook-timestamp and webhook-signature, and the body as it came, before it is read as JSON.',
      'Refuse a timestamp that is more than five minutes off.',
      'Decode the secret after “whsec_” from base64. Make the HMAC-SHA256 of id, timestamp and body, parted by full stops.',
      'Compare it, in constant time, with each signature after “v1,”. While a new secret is being put in place there are two, parted by a space.',
    ],
    byHand: 'By hand, in Node',
    rely: 'What you can rely on',
    promises: [
      'Each event comes at least once: remember each webhook-id for a few days, and answer 200 to one that you know.',
      'Events of one video come in order; the next one after the one before was taken.',
      'Answer with 200 to 299 within 15 seconds and do the work afterwards. What fails is tried again for about three days.',
    ],
  },
})
