import { networkNames, withoutApp } from '@clear-to-post/domain/networks'

/** What one process does; `all` is one machine's, which does everything. */
export const hostRoles = ['api', 'worker', 'clock', 'migrate'] as const
export type HostRole = (typeof hostRoles)[number]

/**
 * What DEPLOYMENT=many asks of a setting, of some roles or of all:
 * - `needed`: without it, or with another value than `but`, the process does not start;
 * - `refused`: with it the process does not start, but for the value `but`;
 * - `alike`: may be left out, and is the same on every host that has the role;
 * - `own`: each host may have another.
 */
export type Demand = {
  kind: 'needed' | 'refused' | 'alike' | 'own'
  roles?: readonly HostRole[]
  but?: string
  /** A sentence: what would go wrong, or why nothing does. */
  why: string
}

export type Setting = {
  name: string
  /** May lie in a file that NAME_FILE names. */
  isSecret?: boolean
  many: readonly Demand[]
}

const serving = ['api', 'worker', 'clock'] as const satisfies readonly HostRole[]
const testOnly: readonly Demand[] = [{ kind: 'refused', why: 'It is for tests.' }]
const standIn: readonly Demand[] = [{ kind: 'refused', why: 'A stand-in keeps what it knows in one process.' }]
const alike = (why: string): readonly Demand[] => [{ kind: 'alike', why }]
const own = (why: string): readonly Demand[] => [{ kind: 'own', why }]
const program = own('Where a program lies may differ from image to image.')
const provider = alike('A person who began at one host comes back to another one.')
const transcriber = alike('Which worker hears a video would decide how well its words are found.')

const bucket: readonly Demand[] = [
  { kind: 'needed', roles: serving, why: 'All hosts keep the files in the same bucket.' },
  { kind: 'own', roles: ['migrate'], why: 'It reads no file.' },
]

/** Every setting of the environment, and what many machines ask of it. Start-up, docs and the walk over all of them read it. */
export const settings: readonly Setting[] = [
  { name: 'DEPLOYMENT', many: [{ kind: 'needed', why: 'It says that there are several.' }] },
  { name: 'ROLE', many: [{ kind: 'needed', why: 'Each process does one part: api, worker, clock or migrate.' }] },
  { name: 'WORK', many: own('Machines of several kinds may each do a part of the work; together all of it.') },
  {
    name: 'NODE_ENV',
    many: [{ kind: 'needed', but: 'production', why: 'Libraries behave otherwise while developing.' }],
  },
  { name: 'PORT', many: own('The load balancer knows it.') },
  { name: 'HOST', many: own('The load balancer knows it.') },
  {
    name: 'PUBLIC_URL',
    many: [{ kind: 'needed', why: 'Links and signed addresses begin with it, whichever host made them.' }],
  },
  {
    name: 'TRUST_PROXY',
    many: [
      { kind: 'needed', roles: ['api'], why: 'The load balancer stands in front: by addresses, or by how many hops.' },
      { kind: 'own', roles: ['worker', 'clock', 'migrate'], why: 'Nobody calls them.' },
    ],
  },
  {
    name: 'DATA_DIR',
    many: [
      {
        kind: 'needed',
        roles: serving,
        why: 'Each process has a folder of its own, for copies that may be lost; the files lie in the bucket.',
      },
      { kind: 'own', roles: ['migrate'], why: 'It reads no file.' },
    ],
  },
  {
    name: 'STORAGE',
    many: [
      { kind: 'needed', but: 'bucket', roles: serving, why: 'A file on one host’s disk is read by no other host.' },
      { kind: 'own', roles: ['migrate'], why: 'It reads no file.' },
    ],
  },
  { name: 'BUCKET_URL', many: bucket },
  {
    name: 'BUCKET_PUBLIC_URL',
    many: alike('A page that one host gave out may send parts to the bucket, whichever host it asks for addresses.'),
  },
  { name: 'BUCKET_REGION', many: alike('Requests are signed for it.') },
  { name: 'BUCKET_KEY_ID', many: bucket },
  { name: 'BUCKET_SECRET', isSecret: true, many: bucket },
  {
    name: 'DATABASE_URL',
    isSecret: true,
    many: [
      { kind: 'needed', roles: ['migrate'], why: 'The embedded database is of one machine.' },
      { kind: 'refused', roles: serving, why: 'It has the owner’s password: only ROLE=migrate is to know it.' },
    ],
  },
  {
    name: 'DATABASE_APP_URL',
    isSecret: true,
    many: [{ kind: 'needed', why: 'It is how every host comes to the one database, as the role that owns nothing.' }],
  },
  { name: 'DATABASE_POOLER', many: own('It says what stands before the address that this host has.') },
  { name: 'SEED', many: [{ kind: 'refused', but: 'none', why: 'Each host would make the demo.' }] },
  { name: 'ALLOW_DEMO_IN_PRODUCTION', many: [{ kind: 'refused', why: 'Each host would make the demo.' }] },
  {
    name: 'MEDIA_SECRET',
    isSecret: true,
    many: [
      { kind: 'needed', roles: serving, why: 'Each host would sign with a key of its own, which the others refuse.' },
      { kind: 'own', roles: ['migrate'], why: 'It signs nothing.' },
    ],
  },
  {
    name: 'SMTP_URL',
    isSecret: true,
    many: [
      { kind: 'needed', roles: serving, why: 'The outbox that stands in for it lies on one host’s disk.' },
      { kind: 'own', roles: ['migrate'], why: 'It sends nothing.' },
    ],
  },
  { name: 'MAIL_FROM', many: alike('People know who writes to them.') },
  { name: 'FCM_SERVICE_ACCOUNT', isSecret: true, many: alike('Phones are told by whichever worker takes the job.') },
  { name: 'FCM_API_URL', many: testOnly },
  { name: 'PUSH_TEST_ORIGIN', many: testOnly },
  { name: 'WEBHOOK_TEST_ORIGIN', many: testOnly },
  { name: 'CODES_PER_NETWORK', many: alike('They are counted in the database, for all hosts together.') },
  { name: 'CODES_PER_HOUR', many: alike('They are counted in the database, for all hosts together.') },
  { name: 'SECOND_FACTOR', many: alike('A host that demands less lets in whom the others stop.') },
  { name: 'PUBLIC_TAGS', many: alike('The front page is the same from every host.') },
  { name: 'STRIPE_SECRET_KEY', isSecret: true, many: provider },
  { name: 'STRIPE_WEBHOOK_SECRET', isSecret: true, many: provider },
  { name: 'STRIPE_API_URL', many: testOnly },
  { name: 'ALLOW_SANDBOX_IN_PRODUCTION', many: standIn },
  { name: 'SIGN_IN_SANDBOX', many: [{ ...standIn[0]!, but: 'off' }] },
  { name: 'GOOGLE_CLIENT_ID', many: provider },
  { name: 'GOOGLE_CLIENT_SECRET', isSecret: true, many: provider },
  { name: 'GOOGLE_ISSUER', many: testOnly },
  { name: 'APPLE_CLIENT_ID', many: provider },
  { name: 'APPLE_TEAM_ID', many: provider },
  { name: 'APPLE_KEY_ID', many: provider },
  { name: 'APPLE_PRIVATE_KEY', isSecret: true, many: provider },
  { name: 'APPLE_ISSUER', many: testOnly },
  ...networkNames.flatMap((network): Setting[] =>
    withoutApp.includes(network)
      ? [{ name: network.toUpperCase(), many: provider }]
      : [
          { name: `${network.toUpperCase()}_APP_ID`, many: provider },
          { name: `${network.toUpperCase()}_APP_SECRET`, isSecret: true, many: provider },
        ],
  ),
  { name: 'LINKEDIN_PAGES', many: provider },
  {
    name: 'CONNECTION_SECRET',
    isSecret: true,
    many: [
      { kind: 'needed', roles: serving, why: 'Whichever worker posts opens what another host sealed.' },
      { kind: 'own', roles: ['migrate'], why: 'It posts nothing.' },
    ],
  },
  { name: 'NETWORKS_STAND_IN', many: standIn },
  { name: 'METRICS_TOKEN', isSecret: true, many: own('Each host answers for itself.') },
  { name: 'PROBE_PORT', many: own('Whoever runs the process asks it there.') },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', many: own('The collector that is near may differ from host to host.') },
  { name: 'OTEL_EXPORTER_OTLP_HEADERS', isSecret: true, many: own('It goes with the collector.') },
  { name: 'OTEL_TRACES_SAMPLER_ARG', many: alike('What one host leaves out, the next one would look for.') },
  { name: 'LOG_LEVEL', many: own('Each host writes its own log.') },
  { name: 'DRAIN_SECONDS', many: own('Each host ends by itself.') },
  { name: 'FFMPEG_PATH', many: program },
  { name: 'FFPROBE_PATH', many: program },
  { name: 'POCKETSPHINX_PATH', many: program },
  { name: 'POCKETSPHINX_MODEL', many: program },
  { name: 'WHISPER_MODEL', many: transcriber },
  { name: 'WHISPER_PATH', many: program },
  { name: 'TRANSCRIBER_URL', many: transcriber },
  { name: 'TRANSCRIBER_KEY', isSecret: true, many: transcriber },
  { name: 'TRANSCRIBER_MODEL', many: transcriber },
  { name: 'ADMIN_PASSWORD', isSecret: true, many: own('Only npm run admin reads it.') },
  { name: 'BACKUP_DIR', many: own('Only npm run backup reads it.') },
]

/** The settings that may lie in a file which NAME_FILE names. */
export const secretNames: readonly string[] = settings.flatMap(({ name, isSecret }) => (isSecret ? [name] : []))

/** What many machines ask of this setting on a host of this role. */
export const demandOf = ({ many }: Setting, role: HostRole): Demand =>
  many.find(({ roles }) => roles === undefined || roles.includes(role))!

/** What keeps a host of this role from its work beside others, as sentences that begin with the setting's name. */
export const problemsOfMany = (env: NodeJS.ProcessEnv, role: HostRole): string[] =>
  settings.flatMap((setting) => {
    const { kind, but, why } = demandOf(setting, role)
    const text = env[setting.name]?.trim()
    if (kind === 'needed' && !text) return [`${setting.name} is missing. ${why}`]
    if (kind === 'needed' && but !== undefined && text !== but) return [`${setting.name} must be ${but}. ${why}`]
    if (kind === 'refused' && text && text !== but)
      return [`${setting.name} ${but === undefined ? 'must be left out' : `must be ${but}, or left out`}. ${why}`]
    return []
  })

/** The table of docs/operations.md. */
export const settingsPage = (): string =>
  [
    '| setting | with DEPLOYMENT=many |',
    '|---|---|',
    ...settings.map(({ name, many }) => `| \`${name}\` | ${many.map(inWords).join(' ')} |`),
  ].join('\n')

const inWords = ({ kind, roles, but, why }: Demand): string =>
  `${kinds[kind]}${but === undefined ? '' : ` (${kind === 'refused' ? 'but ' : ''}\`${but}\`)`}${roles ? ` for ${roles.join(', ')}` : ''}: ${why}`

const kinds = { needed: '**needed**', refused: '**refused**', alike: 'the same on all hosts', own: 'of each host' }
