import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { postgresProcesses } from './processes.ts'

test('a child that was just born, with its server’s command line, counts as a child', async () => {
  const name = `clear_${randomBytes(6).toString('hex')}`
  // A shell in brackets is a copy of the shell before it, as PostgreSQL's children begin as copies of their server.
  const script = '(echo $BASHPID; read; :); :'
  const server = spawn('bash', ['-c', script, 'postgres', '-c', `cluster_name=${name}`, '-c', 'port=1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [child] = await once(server.stdout, 'data')
  expect(await postgresProcesses(name)).toEqual({ servers: [server.pid], children: [Number(child)] })
  server.stdin.end()
  await once(server, 'exit')
  expect(await postgresProcesses(name)).toEqual({ servers: [], children: [] })
})
