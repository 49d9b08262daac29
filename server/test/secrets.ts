/**
 * How each secret stands in the database. Every column that is named like one, and every column of bytes, stands here: a
 * new one fails `secrets.test.ts` until it says what it keeps.
 *
 * `hash`: nobody gets the secret from it; `public`: no secret; `needed`: kept as it is, because the service computes or
 * sends with it; `shown`: kept as it is, because people read it again.
 */
export const keptAs: Record<string, `${'hash' | 'public' | 'needed' | 'shown'}: ${string}`> = {
  'api_key.secret_hash': 'hash: SHA-256 of 256 random bits',
  'answered_request.digest': 'hash: SHA-256 of a request, to know a repeated one',
  'audit_entry.values_hash': 'hash: SHA-256 of a salt and what changed, where no secret stands',
  'audit_seal.hash': 'public: the link of a chain, shown to ADMINs',
  'audit_value.salt': 'public: keeps the hash of removed values from being guessed, and is removed with them',
  'calendar_link.secret_hash': 'hash: SHA-256 of 256 random bits',
  'free_video.domain': 'hash: HMAC-SHA-256 of a domain, which is no secret',
  'free_video.mailbox': 'hash: HMAC-SHA-256 of a mailbox, which is no secret',
  'invitation.token_hash': 'hash: SHA-256 of 256 bits that are computed from the mail’s id and a secret',
  'mail.key': 'public: what made a mail necessary',
  'one_time_token.hash': 'hash: SHA-256 of 256 random bits, or of a code with its row and a key',
  'passkey.credential': 'public: the name that an authenticator answers to',
  'passkey.public_key': 'public: it checks answers and makes none',
  'password.hash': 'hash: argon2id',
  'person.fcm_token': 'needed: where a phone is reached; useless without the service’s account at Firebase',
  'provider_walk.browser': 'hash: SHA-256 of 256 random bits in the browser’s cookie',
  'provider_walk.state': 'hash: SHA-256 of 256 random bits',
  'push_delivery.key': 'public: what made a message necessary',
  'push_device.auth': 'needed: messages are encrypted for the browser with it (RFC 8291)',
  'push_device.endpoint': 'needed: where a browser is reached; useless without `push_key.private_key`',
  'push_device.p256dh': 'needed: the browser’s public key',
  'push_key.private_key': 'needed: signs messages to push services (VAPID)',
  'push_key.public_key': 'public: browsers are given it',
  'recovery_code.hash': 'hash: of a code of 80 random bits',
  'refresh_token.asked_by': 'hash: SHA-256 of 256 random bits',
  'refresh_token.asked_before': 'hash: SHA-256 of 256 random bits',
  'refresh_token.hash': 'hash: SHA-256 of 256 random bits',
  'refresh_token.salt': 'hash: gives the next token only together with the one before, which is not kept',
  'service_secret.value': 'needed: codes, hand-over tokens and links out of mails are computed from it',
  'stored_part.key': 'public: where a part of an upload lies in the bucket; useless without its address’s signature',
  'stored_piece.key': 'public: where a piece of an upload lies in the bucket; useless without the bucket’s own key',
  'sign_in_try.account': 'hash: SHA-256 of an address, which is no secret',
  'signing_key.private_jwk': 'needed: signs ID tokens',
  'signing_key.public_jwk': 'public: published',
  'tenant.default_coupon_code': 'shown: a price, to ADMINs',
  'tenant.invite_code': 'shown: it gives no right but to join; read after a fresh sign-in (decision 331)',
  'connection.tokens':
    'needed: we post with them; AES-256-GCM with a key outside of the database (server/src/outside/sealed.ts)',
  'connection_walk.state_hash': 'hash: SHA-256 of 192 random bits',
  'webhook_endpoint.former_secret': 'needed: signs for a day beside the new one; sealed like it',
  'webhook_endpoint.secret':
    'needed: messages are signed with it; AES-256-GCM with a key outside of the database (server/src/outside/sealed.ts)',
  'web_piece.content': 'public: a built file of the panel',
  'webhook_delivery.endpoint_id': 'public: which endpoint',
  'totp.secret': 'needed: the app’s codes are computed from it',
}

/** Which columns are asked about. */
export const looksSecret = ({ column, type }: { column: string; type: string }): boolean =>
  type === 'bytea' ||
  /secret|hash|salt|token|password|private|jwk|auth$|p256dh|endpoint|key$|code$|credential/.test(column)
