import type { Sabotage } from '../sabotage.ts'

const identityStore = 'server/src/identity/store.ts'
const identity = (test: string) => ['server/src/identity/identity.test.ts', test] as const
const keys = (test: string) => ['server/src/api-keys/api-keys.test.ts', test] as const
const secondFactor = (test: string) => ['server/src/identity/second-factor.test.ts', test] as const
const codes = (test: string) => ['server/src/accounts/codes.test.ts', test] as const
const mailbox = (test: string) => ['server/src/identity/mailbox-codes.test.ts', test] as const
const places = (test: string) => ['server/src/identity/known-places.test.ts', test] as const
const keptCodes = ['server/test/shared-bounds.test.ts', 'when invented addresses have used up the codes'] as const
const sharedBound = ['server/test/shared-bounds.test.ts', 'leave everybody their part of'] as const
const onceUsed = 'of 100 simultaneous redemptions of one custom token'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'each spelling of an address has codes of its own',
    file: 'server/src/identity/mailbox-codes.ts',
    from: '`code ${canonicalMailbox(email)}`',
    to: '`code ${email}`',
    noticed: codes('spellings of one address share its five codes'),
  },
  {
    what: 'wrong codes are counted at each code alone',
    file: 'server/src/identity/codes.ts',
    from: 'wrongFrom(net.net))) >= boundOf(net, wrongCodes.network))',
    to: 'wrongFrom(net.net))) >= Infinity)',
    noticed: codes('forty wrong codes an hour'),
  },
  {
    what: 'however many wrong codes come, strangers go on',
    file: 'server/src/identity/codes.ts',
    from: 'if (!isAsker && (await wrong(wrongOfEverybody)) >= wrongCodes.everybody)',
    to: 'if (false)',
    noticed: codes('past a thousand wrong codes'),
  },
  {
    what: 'everybody stands in one line for a password to be hashed',
    file: 'server/src/identity/password-hash.ts',
    from: 'line.take(asking ? laneOf(asking.who) : everybody, work)',
    to: "line.take(asking ? 'one' : everybody, work)",
    noticed: sharedBound,
  },
  {
    what: 'a token is redeemed again and again',
    file: identityStore,
    from: 'where hash = ${hash} and purpose = any(${purposes}) and redeemed_at is null and ends_at > now()',
    to: 'where hash = ${hash} and purpose = any(${purposes}) and ends_at > now()',
    noticed: identity(onceUsed),
  },
  {
    what: 'redeeming marks nothing as used',
    file: identityStore,
    from: `    update one_time_token set redeemed_at = now()
    where hash = \${hash} and purpose = any(`,
    to: `    update one_time_token set redeemed_at = null
    where hash = \${hash} and purpose = any(`,
    noticed: identity(onceUsed),
  },
  {
    what: 'a token never ends',
    file: identityStore,
    from: 'purpose = any(${purposes}) and redeemed_at is null and ends_at > now()',
    to: 'purpose = any(${purposes}) and redeemed_at is null',
    noticed: identity('a custom token ends after five minutes'),
  },
  {
    what: 'a token of one kind is good as another',
    file: identityStore,
    from: 'where hash = ${hash} and purpose = any(${purposes}) and',
    to: 'where hash = ${hash} and',
    noticed: identity('a token of one kind is refused as any other kind'),
  },
  {
    what: 'the predecessor answers for ever',
    file: 'server/src/identity/families.ts',
    from: 'export const graceSeconds = 10',
    to: 'export const graceSeconds = 1000000',
    noticed: identity('the previous refresh token is answered'),
  },
  {
    what: 'a renewal whose answer is lost for long counts as stolen',
    file: 'server/src/identity/families.ts',
    from: 'if ((shown || known.in_grace) && known.salt) {',
    to: 'if (known.in_grace && known.salt) {',
    noticed: identity('a renewal whose answer was lost is answered again'),
  },
  {
    what: 'any secret shows who exchanged a refresh token',
    file: 'server/src/identity/families.ts',
    from: 'known.askers.some((asked) => asked.equals(one))',
    to: 'known.askers.length > 0',
    noticed: identity('a thief of a refresh token is found once its grace is over'),
  },
  {
    what: 'the hash that was sent is as good as the secret',
    file: 'server/src/identity/families.ts',
    from: 'asker.secrets.map(hashOf)',
    to: "asker.secrets.flatMap((secret) => [hashOf(secret), Buffer.from(secret, 'base64url')])",
    noticed: identity('a thief of a refresh token is found once its grace is over'),
  },
  {
    what: 'whoever asks within the grace takes the place of who exchanged the token',
    file: 'server/src/identity/families.ts',
    from: `      if (shown) {
        // This answer, too, may be lost. Its grace does not begin anew: whoever asks again could hold it open.
        await answeredAgain(tx, hash, shown, asker.secretHash)`,
    to: `      if (shown || known.in_grace) {
        await answeredAgain(tx, hash, shown ?? hash, asker.secretHash)`,
    noticed: identity('a thief of a refresh token is found who renews each time'),
  },
  {
    what: 'an answer that is lost twice ends the session',
    file: 'server/src/identity/families.ts',
    from: 'shown, asker.secretHash)',
    to: 'shown, null)',
    noticed: identity('a renewal whose answer was lost is answered again'),
  },
  {
    what: 'a renewal that is answered again begins its grace anew, for anybody',
    file: 'server/src/identity/store.ts',
    from: 'set asked_before = ${shown},',
    to: 'set rotated_at = clock_timestamp(), asked_before = ${shown},',
    noticed: identity('a thief of a refresh token is found who asks again and again'),
  },
  {
    what: 'two tabs that ask for a lost renewal at once count as a theft',
    file: 'server/src/identity/store.ts',
    from: 'set asked_before = ${shown},',
    to: 'set asked_before = null,',
    noticed: identity('a renewal whose answer was lost is answered again'),
  },
  {
    what: 'a key that was made in a session carried from a stolen one goes on',
    file: 'server/src/identity/actions.ts',
    from: '!family || family.is_carried ? null : family.id',
    to: 'family?.id ?? null',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'after a theft those keys end'],
  },
  {
    what: 'a renewal that is answered again does not count as use',
    file: 'server/src/identity/families.ts',
    from: `asker.secretHash)
        await prolongFamily(tx, family.id, idleDays)`,
    to: 'asker.secretHash)',
    noticed: identity('a session whose renewals are answered again goes on'),
  },
  {
    what: 'a theft ends every key of its person',
    file: identityStore,
    from: "set_config('app.stolen_session', ${familyId}, true)",
    to: "set_config('app.stolen_session', '', true), ${familyId}::text",
    noticed: keys('after a theft those keys end'),
  },
  {
    what: 'an old refresh token ends nothing',
    file: 'server/src/identity/families.ts',
    from: `  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  await endAsStolen(tx, personId, family.id)
  return null`,
    to: '  return null',
    noticed: identity('a refresh token rotates'),
  },
  {
    what: 'a stolen session leaves the ID tokens',
    file: 'server/src/identity/families.ts',
    from: `  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  await endAsStolen(tx, personId, family.id)
  return null`,
    to: `  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  return null`,
    noticed: identity('a refresh token rotates'),
  },
  {
    what: 'what was carried from a session outlives it',
    file: identityStore,
    from: 'select f.id from session_family f join branch on f.carried_from = branch.id)',
    to: 'select f.id from session_family f join branch on false)',
    noticed: identity('signing out of a device ends the sessions handed over'),
  },
  {
    what: 'a token on its way outlives the session that gave it out',
    file: identityStore,
    from: 'where t.carried_from = branch.id and t.redeemed_at is null',
    to: 'where false',
    noticed: identity('signing out of a device ends the sessions handed over'),
  },
  {
    what: 'signing out everywhere leaves the ID tokens',
    file: 'server/src/identity/families.ts',
    from: `  await revokeFamilies(tx, personId)
  await renewSecurityStamp(tx, personId, why)`,
    to: '  await revokeFamilies(tx, personId)',
    noticed: identity('signing out ends this session'),
  },
  {
    what: 'a session that is used never ends',
    file: 'server/src/identity/families.ts',
    from: 'export const mostDays = 180',
    to: 'export const mostDays = 36500',
    noticed: identity('a session ends when it is not used'),
  },
  {
    what: 'a revoked session goes on',
    file: identityStore,
    from: 'select id, person_id, must_end_at, revoked_at is null and ends_at > now() as is_live',
    to: 'select id, person_id, must_end_at, ends_at > now() as is_live',
    noticed: identity('signing out ends this session'),
  },
  {
    what: 'a hundred wrong passwords',
    file: 'server/src/identity/password.ts',
    from: 'tryLimit.minutes)) > tryLimit.tries) return tooManyTries',
    to: 'tryLimit.minutes)) > tryLimit.tries * 10) return tooManyTries',
    noticed: identity('wrong tries, counted exactly'),
  },
  {
    what: 'an ID token of another audience or issuer',
    file: 'server/src/identity/id-token.ts',
    from: `{ algorithms: [algorithm], typ: 'JWT', issuer, audience }`,
    to: `{ algorithms: [algorithm] }`,
    noticed: identity('a forged or altered token is refused'),
  },
  {
    what: 'an ID token that lives for years',
    file: 'server/src/identity/id-token.ts',
    from: '!claims.success || claims.data.exp - claims.data.iat > idTokenSeconds',
    to: '!claims.success',
    noticed: identity('a forged or altered token is refused'),
  },
  {
    what: 'who signs in needs not be fresh to change how',
    file: 'server/src/identity/fresh.ts',
    from: "if (!isFresh) throw refusal('session.not-fresh')",
    to: '',
    noticed: secondFactor('a security change needs a fresh sign-in'),
  },
  {
    what: 'a session of another device is fresh',
    file: identityStore,
    from: 'and not f.is_carried and f.created_at',
    to: 'and f.created_at',
    noticed: secondFactor('a security change needs a fresh sign-in'),
  },
  {
    what: 'one network tries passwords at every account',
    file: 'server/src/identity/wrong-passwords.ts',
    from: '>= boundOf(net, most)) return fromNetwork',
    to: '>= boundOf(net, most * 100)) return fromNetwork',
    noticed: ['server/src/identity/wrong-passwords.test.ts', 'judged sixty times an hour over all accounts'],
  },
  {
    what: 'a holder of many networks tries passwords in each',
    file: 'server/src/identity/wrong-passwords.ts',
    from: `  for (const net of netsOf(network))
    for (const { most, minutes } of wrongPasswords.network)
      if`,
    to: `  for (const net of netsOf(network).slice(0, 1))
    for (const { most, minutes } of wrongPasswords.network)
      if`,
    noticed: ['server/src/identity/wrong-passwords.test.ts', 'have a bound of an hour and one of a day'],
  },
  {
    what: 'strangers try passwords at one account for ever',
    file: 'server/src/identity/wrong-passwords.ts',
    from: 'wrongAt(email, minutes), minutes)) >= most) return atThis',
    to: 'wrongAt(email, minutes), minutes)) >= most * 100) return atThis',
    noticed: ['server/src/identity/wrong-passwords.test.ts', 'a hundred wrong passwords a day from strangers'],
  },
  {
    what: 'strangers keep an owner out of their own places',
    file: 'server/src/identity/password.ts',
    from: 'const isKnown = (await isKnownPlace(tx, found?.id, network)) &&',
    to: 'const isKnown = false && (await isKnownPlace(tx, found?.id, network)) &&',
    noticed: ['server/src/identity/wrong-passwords.test.ts', 'its owner gets in all the same'],
  },
  {
    what: 'a new password leaves its owner out',
    file: 'server/src/identity/password.ts',
    from: 'await rememberPlace(tx, person.id, network)\n  await forgetWrongAt',
    to: 'await forgetWrongAt',
    noticed: ['server/src/identity/wrong-passwords.test.ts', 'its owner gets in all the same'],
  },
  {
    what: 'nobody hears that passwords are guessed',
    file: 'server/src/identity/password.ts',
    from: 'if (isWrong(error)) tellOf(await database.asSystem((tx) => countWrong(tx, { email, network }, { isKnown })), log)',
    to: 'if (isWrong(error)) await database.asSystem((tx) => countWrong(tx, { email, network }, { isKnown }))',
    noticed: ['server/src/identity/wrong-passwords.test.ts', 'the log says once'],
  },
  ...(
    [
      ['password', 'server/src/identity/wrong-passwords.ts'],
      ['code', 'server/src/identity/codes.ts'],
      ['second-step', 'server/src/identity/second-factor-tries.ts'],
    ] as const
  ).map(([typed, file]) => ({
    what: `operators see in no figure that somebody guesses: ${typed}`,
    file,
    from: `countWrongGuess('${typed}')`,
    to: '',
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'are counted for operators'] as const,
  })),
  {
    what: 'codes of an app are guessed for ever',
    file: 'server/src/identity/second-factor-tries.ts',
    from: 'wrongOfApp(personId, minutes), minutes)) >= most) return true',
    to: 'wrongOfApp(personId, minutes), minutes)) >= most * 100) return true',
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'codes of an app are guessed 20 times a day'],
  },
  {
    what: 'counts of a month go after a day',
    file: identityStore,
    from: "delete from sign_in_try where ends_at < now() - interval '1 day'",
    to: "delete from sign_in_try where since < now() - interval '1 day'",
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'codes of an app are guessed 20 times a day'],
  },
  {
    what: 'codes that are not looked at keep recovery codes away',
    file: 'server/src/identity/actions.ts',
    from: `if (method === 'totp' && (await isAppGuessed(tx, personId))) return`,
    to: `await mayTryCode(tx, personId, { method: 'recovery-code', network })
  if (method === 'totp' && (await isAppGuessed(tx, personId))) return`,
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'signs in by a recovery code'],
  },
  {
    what: 'whoever knows the password keeps recovery codes away everywhere',
    file: 'server/src/identity/second-factor-tries.ts',
    from: 'recovery codes of ${personId} from ${holderOf(network)}',
    to: 'recovery codes of ${personId} from ${holderOf(network).slice(0, 0)}',
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'keep no code away from their owner elsewhere'],
  },
  {
    what: 'nobody hears of wrong codes after a right password',
    file: 'server/src/identity/second-factor-tries.ts',
    from: 'const isOften = (await countTry(tx, wrongOf(personId), codeTries.minutes)) >= codeTries.tries',
    to: 'const isOften = false && codeTries.tries > 0',
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'are told to the owner by mail'],
  },
  {
    what: 'nobody is told of new recovery codes',
    file: 'server/src/identity/security.ts',
    from: "await notifyOwner(\n    tx,\n    personId,\n    'New recovery codes",
    to: "void ((..._left: unknown[]) => {})(\n    tx,\n    personId,\n    'New recovery codes",
    noticed: ['server/test/sign-in-changes.test.ts', 'tells the owner by mail and leaves an audit entry'],
  },
  {
    what: 'a recovery code is good again',
    file: 'server/src/identity/factor-store.ts',
    from: 'and hash = ${hash} and used_at is null',
    to: 'and hash = ${hash}',
    noticed: secondFactor('a recovery code is good once'),
  },
  {
    what: 'a code by mail is good again',
    file: identityStore,
    from: 'where id = ${id} and redeemed_at is null and ends_at > now()',
    to: 'where id = ${id} and ends_at > now()',
    noticed: codes('of 100 simultaneous redemptions of one code'),
  },
  {
    what: 'wrong codes cost no try',
    file: identityStore,
    from: 'coalesce((guesses ->> ${guesser})::int, 0) + 1',
    to: '0',
    noticed: codes('a code allows five wrong guesses'),
  },
  {
    what: 'a stranger’s wrong guesses count for everybody',
    file: 'server/src/identity/codes.ts',
    from: '(row.guesses[guesser] ?? 0) >= codeTries.network',
    to: 'Object.values(row.guesses).reduce((a, b) => a + b, 0) >= codeTries.network',
    noticed: codes('wrong guesses from a stranger’s network'),
  },
  {
    what: 'guesses from many networks without end',
    file: 'server/src/identity/codes.ts',
    from: ' || (!isAsker && row.tries_left === 0)',
    to: '',
    noticed: codes('guesses from many networks'),
  },
  {
    what: 'a calendar link outlives a new password',
    file: 'server/src/identity/actions.ts',
    from: '(await dropCalendarLink(tx, personId)) === 1',
    to: 'false',
    noticed: ['server/src/accounts/verified-addresses.test.ts', 'keeps ways in added after verification'],
  },
  {
    what: 'whether a second factor is asked for hangs on somebody else',
    file: 'server/src/identity/factor-store.ts',
    from: 'where p.id = ${personId} and not p.is_disabled`)',
    to: 'where not p.is_disabled`)',
    noticed: ['server/src/identity/second-factor.test.ts'],
  },
  {
    what: 'a calendar link goes on past a company’s demand for a second factor',
    file: 'server/src/identity/actions.ts',
    from: `hasFactor(factors)) return false
  await endSessions(tx, personId, 'second-factor')`,
    to: `hasFactor(factors)) return false
  await closeFamilies(tx, personId, 'second-factor')`,
    noticed: secondFactor('a person without a factor who joins a company'),
  },
  {
    what: 'a phone rings on when its sign-in has ended',
    file: 'server/src/identity/store.ts',
    from: 'update person p set fcm_token = null, fcm_family_id = null from branch',
    to: 'update person p set fcm_token = fcm_token from branch',
    noticed: ['server/src/accounts/profile.test.ts', 'a phone is named in a sign-in alone'],
  },
  {
    what: 'a code for a password is good for an address',
    file: 'server/src/identity/codes.ts',
    from: `(purpose === 'any' || purpose === row.purpose)`,
    to: `(purpose !== undefined)`,
    noticed: codes('for one purpose is refused for every other'),
  },
  {
    what: 'a code for hours',
    file: 'server/src/identity/codes.ts',
    from: 'export const codeMinutes = proofMinutes',
    to: 'export const codeMinutes = 60 * proofMinutes',
    noticed: codes('a code ends after ten minutes'),
  },
  {
    what: 'codes by mail without end',
    file: 'server/src/identity/mailbox-codes.ts',
    from: 'sendLimit = { codes: 5',
    to: 'sendLimit = { codes: 800',
    noticed: codes('an address gets at most five codes an hour'),
  },
  {
    what: 'a sign-in by password does not lock its person',
    file: 'server/src/identity/actions.ts',
    from: `    await holdPassword(tx, checked)
`,
    to: '',
    noticed: identity('wrong tries, counted exactly in parallel'),
  },
  {
    what: 'a token for another device is made without locking its person',
    file: 'server/src/identity/actions.ts',
    from: `    await holdSession(tx, caller)
    return issueHandOver`,
    to: '    return issueHandOver',
    noticed: identity('a session handed over by an ID token alone'),
  },
  {
    what: 'a change of the ways to sign in does not lock its person',
    file: 'server/src/identity/security-changes.ts',
    from: `      await holdSession(tx, caller)
`,
    to: '',
    noticed: secondFactor('an authenticator app is added with a code'),
  },
  {
    what: 'invented addresses use up every code',
    file: 'server/src/identity/codes.ts',
    from: 'const keptPart = 1 / 4',
    to: 'const keptPart = 0',
    noticed: keptCodes,
  },
  {
    what: 'codes that are kept for confirmed addresses go to any',
    file: 'server/src/identity/codes.ts',
    from: '(await isConfirmedAddress(tx, email)) ||',
    to: '(await isConfirmedAddress(tx, email)) || email.length > 0 ||',
    noticed: keptCodes,
  },
  {
    what: 'wrong passwords of one network keep everybody out',
    file: 'server/src/identity/password.ts',
    from: 'hashOf(`tries for ${email} from ${holderOf(network)}`)',
    to: 'hashOf(`tries for ${email} from`)',
    noticed: identity('keep nobody out elsewhere'),
  },
  {
    what: 'all networks together guess passwords without an end',
    file: 'server/src/identity/password.ts',
    from: 'tryLimit.minutes)) > tryLimit.everywhere',
    to: 'tryLimit.minutes)) > tryLimit.everywhere * 100',
    noticed: identity('keep nobody out elsewhere'),
  },
  {
    what: 'strangers use up the codes of an address',
    file: 'server/src/identity/codes.ts',
    from: 'if (!isRoom) {',
    to: "if (!isRoom) {\n    if (!isRoom) return { refused: 'address' }",
    noticed: mailbox('while forty networks ask'),
  },
  {
    what: 'strangers use up the guesses at the code that their network was told to use',
    file: 'server/src/identity/codes.ts',
    from: 'await countTry(tx, askedToo(there.id, askedBy), 2 * codeMinutes)',
    to: 'void 0',
    noticed: mailbox('while forty networks ask'),
  },
  {
    what: 'however many networks ask again, each has guesses of its own',
    file: 'server/src/identity/codes.ts',
    from: 'sendLimit.minutes)) > limits.everybody * keptPart) return',
    to: 'sendLimit.minutes)) > Infinity) return',
    noticed: mailbox('codes asked for again use up nobody’s'),
  },
  {
    what: 'each repeated asking counts as one more network',
    file: 'server/src/identity/codes.ts',
    from: 'const isNew = codes === 0',
    to: 'const isNew = codes >= 0',
    noticed: mailbox('a few networks that ask over and over'),
  },
  {
    what: 'a network that has guesses at a code is counted for it again',
    file: 'server/src/identity/codes.ts',
    from: 'if (await hasAsked(tx, there, askedBy)) return',
    to: '',
    noticed: mailbox('a few networks that ask over and over'),
  },
  {
    what: 'one network has guesses at every code that it asks for again',
    file: 'server/src/identity/codes.ts',
    from: 'if (codes >= codesAskedAgain) return',
    to: '',
    noticed: mailbox('a few networks that ask over and over'),
  },
  {
    what: 'a code that was used leaves its mailbox without the next',
    file: 'server/src/identity/codes.ts',
    from: 'if (email !== undefined) await freeTurn(tx, email)',
    to: 'void freeTurn',
    noticed: mailbox('a code that was used makes room'),
  },
  {
    what: 'whoever signs up has a code of the wrong kind',
    file: identityStore,
    from: "purpose = case when its.person_id is null then 'address' else 'password' end, person_id = its.person_id",
    to: 'person_id = t.person_id',
    noticed: mailbox('a sign-up while strangers ask'),
  },
  {
    what: 'places of a password outlive it',
    file: 'server/src/identity/wrong-passwords.ts',
    from: 'hashOf(`place of ${personId} since ${since}: ${holderOf(network)}`)',
    to: 'hashOf(`place of ${personId} since ${since === null}: ${holderOf(network)}`)',
    noticed: places('a new password ends every place'),
  },
  {
    what: 'places of who never confirmed the address are known',
    file: identityStore,
    from: 'where p.id = ${id} and p.email_verified_at is not null and not p.is_disabled\n      and not exists (select from totp',
    to: 'where p.id = ${id} and not p.is_disabled\n      and not exists (select from totp',
    noticed: places('no place is known of an address that nobody has confirmed'),
  },
  {
    what: 'a right password makes a place known before the second step',
    file: identityStore,
    from: '\n      and not exists (select from totp a where a.person_id = p.id and a.confirmed_at is not null)',
    to: '',
    noticed: places('a place is known after the second step'),
  },
  {
    what: 'each known place has wrong passwords of its own, without end',
    file: 'server/src/identity/wrong-passwords.ts',
    from: '< wrongPasswords.known.together',
    to: '< Infinity',
    noticed: places('have 250 wrong passwords a day'),
  },
  {
    what: 'each known place has wrong codes of its own, without end',
    file: 'server/src/identity/mailbox-codes.ts',
    from: '< wrongAtMailbox.known',
    to: '< Infinity',
    noticed: places('have 250 wrong codes a day'),
  },
  {
    what: 'whoever reads the mailbox begins an app’s codes anew all day',
    file: 'server/src/identity/second-factor-tries.ts',
    from: 'if ((await triesOf(tx, begunOf(personId, minutes), minutes)) >= most) return',
    to: 'if ((await triesOf(tx, begunOf(personId, minutes), minutes)) >= most * 100) return',
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'begin the codes of an app anew once a day'],
  },
  {
    what: 'an app is guessed four by four without a word',
    file: 'server/src/identity/second-factor-tries.ts',
    from: "if (!isOften && !(method === 'totp' && (await isAppGuessed(tx, personId)))) return",
    to: 'if (!isOften) return',
    noticed: ['server/src/identity/second-factor-tries.test.ts', 'used up four by four'],
  },
  {
    what: 'a code is sent to a mailbox for whoever asks',
    file: 'server/src/identity/mailbox-codes.ts',
    from: 'email), 1, sendLimit.turn)',
    to: 'email), 1000, sendLimit.turn)',
    noticed: mailbox('fourteen codes an hour'),
  },
  {
    what: 'codes of one mailbox are guessed all day from ever new networks',
    file: 'server/src/identity/mailbox-codes.ts',
    from: 'ofAll >= (here < few ? most + more : most)',
    to: 'ofAll >= Infinity',
    noticed: mailbox('a thousand wrong codes a day'),
  },
  {
    what: 'what a passkey’s maker says of it is followed to wherever it leads',
    file: 'server/src/identity/passkeys.ts',
    from: "attested.set('fmt', 'none').set('attStmt', new Map())",
    to: 'attested',
    noticed: ['server/src/identity/second-factor.test.ts', 'a statement of a passkey’s maker'],
  },
  {
    what: 'a key that ends with the sessions does not say why',
    file: 'server/src/identity/store.ts',
    from: "select set_config('app.session_end', ${why}, true) as said",
    to: 'select ${why}::text as said',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'with the reason'],
  },
  {
    what: 'a key of ID tokens is made while the table of keys is locked',
    file: 'server/src/identity/keys.ts',
    from: 'await retireKeys(tx)\n        await addKey(tx, made)',
    to: 'await retireKeys(tx)\n        await addKey(tx, await newKey())',
    noticed: ['server/src/identity/identity.test.ts', 'through a rotation'],
  },
  {
    what: 'whoever opens an account by another spelling of a mailbox, and removes it, begins its bounds anew',
    file: 'server/src/identity/actions.ts',
    from: 'isConfirmed ? countsOfMailbox(email) : []',
    to: 'countsOfMailbox(email)',
    noticed: ['server/src/identity/mailbox-codes.test.ts', 'an account of another spelling of a mailbox'],
  },
]
