import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'

const run = promisify(execFile)

/** What Prometheus would have asked of hosts, one minute (`stepMinutes`) after the other. */
export type Watched = {
  /**
   * One more round: what each host answered at /metrics; undefined: it did not answer. A moment of which a metric tells is as
   * long ago as it really is; with `stands`, one that does not move grows older by the minutes that are said to pass.
   */
  add: (answers: ReadonlyMap<string, string | undefined>, how?: { stands?: boolean }) => void
  rounds: () => number
  /** The alerts of a file of rules that fire at the last round. */
  firing: (rules: string) => Promise<{ alert: string; labels: Record<string, string> }[]>
}

/**
 * Prometheus's own judge of rules, over what real services answered; installed, or from Debian's package, which is kept in the
 * temporary folder of this machine. Undefined where it cannot be had.
 */
export const findPromtool = async (): Promise<string | undefined> => {
  for (const place of ['/usr/bin/promtool', '/usr/local/bin/promtool']) if (existsSync(place)) return place
  const folder = join(tmpdir(), 'clear-to-post-promtool')
  const kept = join(folder, 'usr/bin/promtool')
  if (existsSync(kept)) return kept
  await mkdir(folder, { recursive: true })
  const making = await mkdtemp(join(folder, 'making-'))
  try {
    await run('chmod', ['a+rwx', making])
    await run('apt-get', ['download', '-q', 'prometheus'], { cwd: making, timeout: 120_000 })
    const [name] = (await readdir(making)).filter((one) => one.endsWith('.deb'))
    await run('sh', ['-c', `dpkg-deb --fsys-tarfile ${name} | tar -x -C .. ./usr/bin/promtool`], { cwd: making })
    return kept
  } catch (error) {
    console.warn(`There is no promtool here, so no alert is judged: ${(error as Error).message}`)
    return undefined
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** Begins to watch. Prometheus keeps `job` and `instance` for itself, and calls a metric's own label of that name `exported_…`. */
export const watch = (promtool: string, stepMinutes: number): Watched => {
  const series = new Map<string, { values: string[]; raw: string | undefined }>()
  let rounds = 0
  return {
    rounds: () => rounds,
    add: (answers, { stands = false } = {}) => {
      const at = Date.now() / 1000
      const now = rounds * stepMinutes * 60
      for (const [instance, text] of answers)
        for (const [, name, labels = '', value] of (text ?? '').matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm)) {
          const own = labels.replaceAll(/\b(job|instance)=/g, 'exported_$1=')
          const key = `${name}{instance="${instance}",job="clear-to-post"${own && `,${own}`}}`
          const one = series.get(key) ?? { values: gap(rounds), raw: undefined }
          series.set(key, one)
          const isMoment = name!.endsWith('_timestamp_seconds')
          const isKnown = isMoment && stands && one.raw === value && one.values.length === rounds
          one.values.push(isKnown ? one.values.at(-1)! : isMoment ? String(now - (at - Number(value))) : value!)
          one.raw = value
        }
      rounds++
      // As Prometheus marks what is no longer said.
      for (const { values } of series.values())
        if (values.length < rounds) values.push(/^(stale|_)$/.test(values.at(-1)!) ? '_' : 'stale')
    },
    firing: async (rules) => {
      const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-alerts-'))
      try {
        const file = join(folder, 'test.yaml')
        // The question has an answer that cannot be, so that the judge says the one that is.
        const impossible = [{ labels: '{alertname="none"}', value: 7 }]
        const expr = 'ALERTS{alertstate="firing"}'
        const asked = {
          rule_files: [rules],
          evaluation_interval: '1m',
          tests: [
            {
              interval: `${stepMinutes}m`,
              input_series: [...series]
                .filter(([key]) => /^(clear_|nodejs_|process_)/.test(key))
                .map(([name, { values }]) => ({ series: name, values: values.join(' ') })),
              promql_expr_test: [{ expr, eval_time: `${(rounds - 1) * stepMinutes}m`, exp_samples: impossible }],
            },
          ],
        }
        await writeFile(file, stringify(asked, { lineWidth: 0 }))
        const { said } = await run(promtool, ['test', 'rules', file]).then(
          ({ stdout }) => ({ said: stdout }),
          (error: { stdout: string; stderr: string }) => ({ said: error.stdout + error.stderr }),
        )
        const got = /\bgot:([^]*)/.exec(said)?.[1]
        if (got === undefined) throw new Error(`promtool says nothing of alerts: ${said}`)
        return [...got.matchAll(/\{(__name__="ALERTS"[^{}]*)\}/g)].map(([, all]) => {
          const {
            alertname,
            alertstate: _,
            severity: __,
            ...labels
          } = Object.fromEntries(
            [...all!.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label!, value!]),
          ) as Record<string, string>
          return { alert: alertname!, labels }
        })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Rounds in which a series was not there yet. */
const gap = (count: number): string[] => Array.from({ length: count }, () => '_')
