import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'

/** The role that the product works as: it owns nothing and stands under row-level security. */
export const APP_ROLE = 'clear_app'

/**
 * The address that the product connects to. Its password is computed from the owner's, so that every server of a
 * fleet, given the same DATABASE_URL, arrives at the same one without keeping or exchanging a second secret; it
 * changes when the owner's does, and does not give the owner's away. Where that does not suit (an owner without a
 * password, several products in one PostgreSQL), DATABASE_APP_URL names a role that the operator made.
 *
 * Throws a sentence when the owner's address has no password.
 */
export function appUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  if (!url.password) {
    throw new Error('DATABASE_URL has no password, so none can be derived for clear_app: set DATABASE_APP_URL too.')
  }
  const { password } = url
  url.username = APP_ROLE
  url.password = derivePassword(decodeURIComponent(password), APP_ROLE)
  return url.href
}

/** A password for `role` that every holder of `secret` can compute, and that does not give the secret away. */
export function derivePassword(secret: string, role: string): string {
  return createHmac('sha256', secret).update(`clear-to-post ${role}`).digest('base64url')
}

/**
 * Makes the role of `appUrl` where it is missing, and sets its password where it does not let us in; changes nothing
 * otherwise. `owner` must be allowed to make roles, or the role must exist already.
 */
export async function ensureAppRole(owner: pg.Client, appUrl: string): Promise<void> {
  const { username, password } = new URL(appUrl)
  const role = decodeURIComponent(username)
  const exists = async () => (await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role])).rowCount === 1
  // The verifier, not the password: the server's log may keep statements.
  const verifier = scramVerifier(decodeURIComponent(password))
  if (!(await exists())) {
    await owner.query(`CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD '${verifier}'`).catch((error) => {
      if (error.code !== DUPLICATE_OBJECT) throw error // Another server made it in the meantime.
    })
  }
  const refusal = await tryToConnect(appUrl)
  if (refusal === WRONG_PASSWORD) await owner.query(`ALTER ROLE ${pg.escapeIdentifier(role)} PASSWORD '${verifier}'`)
}

/** Throws when the role of `appUrl` could get round row-level security: then nothing in the product may start. */
export async function refuseStrongAppRole(owner: pg.Client, appUrl: string): Promise<void> {
  const role = decodeURIComponent(new URL(appUrl).username)
  const { rows } = await owner.query(
    `SELECT rolsuper OR rolbypassrls AS bypasses,
            EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid AND relkind IN ('r', 'p'))
              OR pg_has_role(rolname, current_user, 'MEMBER') AS owns
       FROM pg_roles WHERE rolname = $1`,
    [role],
  )
  const found = rows[0]
  if (found && !found.bypasses && !found.owns) return
  throw new Error(
    found
      ? `The role ${role} ${found.bypasses ? 'may bypass row-level security' : 'owns tables'}: ` +
          'DATABASE_APP_URL must name a plain role, another one than the owner of the tables.'
      : `The role ${role} does not exist, and DATABASE_URL's role may not make it.`,
  )
}

const WRONG_PASSWORD = '28P01'
const DUPLICATE_OBJECT = '42710'

async function tryToConnect(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === WRONG_PASSWORD) return code
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** RFC 5803, as PostgreSQL stores it. */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const key = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(key('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`
}
