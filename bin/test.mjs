// npm test: installs what the proof needs, and proves everything. Runs on Node 20 with nothing installed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { prepare } from './prepare.mjs'
import { aside, forTerminal, forwardSignals, giveUp, openly, seconds, signalled } from './run.mjs'
import { buildWeb } from './web.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reports = mkdtempSync(join(tmpdir(), 'clear-to-post-reports-'))

process.on('exit', () => rmSync(reports, { recursive: true, force: true }))
forwardSignals()
try {
  const { nodeDirectory, env } = await prepare(root)
  env.PLAYWRIGHT_JSON_OUTPUT_FILE = join(reports, 'browser.json')
  // The longest have runs of their own (e2e/walks.ts, server/test/long-tests.ts).
  env.JOURNEYS = 'test'
  env.TESTS = 'test'
  const outcomes = []
  for (const together of checks({ nodeDirectory, env })) {
    if (signalled()) break
    outcomes.push(...(await outcomesOf(together)))
  }
  summarize(outcomes)
} catch (error) {
  giveUp(error)
}

/**
 * The checks, those that go at the same time together. Each check's `run` begins it, and answers its exit code and how to
 * show what it writes; its `count` reads how many tests passed and failed.
 */
function checks({ nodeDirectory, env }) {
  const place = { cwd: root, env }
  const tool = (name, ...args) => [
    join(nodeDirectory, 'node'),
    [join(root, 'node_modules', '.bin', name), ...args],
    place,
  ]
  const vitest = join(reports, 'vitest.json')
  // Tests and journeys get a second try, which the summary names with what failed at the first.
  const tests = {
    name: 'Tests',
    run: () => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitest}`]
      return { code: openly(...tool('vitest', 'run', '--tags-filter=!long', '--retry=1', ...reporters)) }
    },
    count: () => countOfVitest(vitest),
  }
  const journeys = {
    name: 'Browser',
    run: () =>
      after(demoMade, (demo) => {
        Object.assign(env, demo)
        return aside(
          ...tool('playwright', 'test', '-c', 'e2e/playwright.config.ts', '--retries=1', '--reporter=list,json'),
        )
      }),
    count: () => countOfPlaywright(env.PLAYWRIGHT_JSON_OUTPUT_FILE),
  }
  let demoMade
  const build = () => {
    const built = buildWeb(root, { env, nodeDirectory })
    // While the types are still checked.
    demoMade = built.then(() => makeDemo({ nodeDirectory, env }))
    demoMade.catch(() => {})
    return { code: built.then(() => 0) }
  }
  return [
    [
      { name: 'Build', run: build },
      { name: 'Types', run: () => aside(...tool('tsc', '--noEmit', '--checkers', '1')) },
      { name: 'Lint', run: () => aside(...tool('oxlint')) },
      { name: 'Format', run: () => aside(...tool('oxfmt', '--check')) },
    ],
    // Tests wait for programs and databases, journeys for renders and pages: each takes what the other leaves.
    existsSync(join(root, 'e2e', 'playwright.config.ts')) ? [tests, journeys] : [tests],
  ]
}

/** A run that begins when `first` is there: what it writes may be asked for before. */
function after(first, run) {
  const begun = first.then(run)
  const show = () => begun.then((started) => started.show()).catch(() => {})
  return { code: begun.then((started) => started.code), show }
}

/**
 * The demo that the journeys begin with. Answers the setting that leads to it; nothing where it could not be made, or the
 * caller has one.
 */
async function makeDemo({ nodeDirectory, env }) {
  if (env.JOURNEY_DEMO) return {}
  const folder = join(reports, 'demo')
  const made = aside(join(nodeDirectory, 'node'), [join(root, 'e2e', 'make-demo.ts'), folder], { cwd: root, env })
  if ((await made.code) === 0) return { JOURNEY_DEMO: folder }
  made.show()
  return {}
}

/** Begins all of them, and tells of each in turn: the first writes as it goes, another once those before it have ended. */
async function outcomesOf(together) {
  console.log(`\n→ ${together[0].name}`)
  const begun = together.map((check) => ({ ...check, began: Date.now(), ...check.run() }))
  const ended = begun.map((check) => outcomeOf(check))
  for (const [at, { name, show }] of begun.entries()) {
    if (at > 0) console.log(`\n→ ${name}`)
    await show?.()
    await ended[at]
  }
  return Promise.all(ended)
}

async function outcomeOf({ name, code: running, count, began }) {
  const code = await running.catch((error) => {
    console.error(forTerminal(error.message))
    return 1
  })
  const counted = (count && readCount(count)) || { passed: 0, failed: 0, again: [], broken: [] }
  // A check that fails without naming a test (or before it could) counts as one.
  const failed = code !== 0 && counted.failed === 0 ? 1 : counted.failed
  return { ...counted, name, failed, tests: Boolean(count), took: Date.now() - began }
}

function readCount(count) {
  try {
    return count()
  } catch {
    return undefined
  }
}

function countOfVitest(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'))
  const named = (file, test) => `${relative(root, file.name)} ${test.fullName}: ${firstLine(test.failureMessages[0])}`
  const broken = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    // A file that does not even load has no test of its own to name.
    if (failed.length === 0 && file.status === 'failed')
      return [`${relative(root, file.name)} ${firstLine(file.message)}`]
    return failed.map((test) => named(file, test))
  })
  // What passed in the end still says what failed before.
  const again = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map((test) => named(file, test)),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests, again, broken }
}

function countOfPlaywright(path) {
  const { stats, suites } = JSON.parse(readFileSync(path, 'utf8'))
  const all = suites.flatMap((file) => specsOf(file))
  const again = all.filter(({ tests }) => tests.some((one) => one.status === 'flaky'))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    again: again.map(nameOf),
    broken: all.filter(({ ok }) => !ok).map(nameOf),
  }
}

function nameOf({ file, line, title }) {
  return `${file}:${line} ${title}`
}

function firstLine(text) {
  return stripVTControlCharacters(text ?? '')
    .split('\n')[0]
    .slice(0, 300)
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap((suite) => specsOf(suite))]
}

function summarize(outcomes) {
  console.log('\nSummary')
  for (const { name, passed, failed, again, broken, tests, took } of outcomes) {
    const said = tests ? `${passed} passed, ${failed} failed` : failed === 0 ? 'passed' : 'FAILED'
    console.log(`  ${failed === 0 ? '✓' : '✗'} ${name.padEnd(8)} ${said} (${seconds(took)})`)
    for (const title of broken) console.log(`    failed: ${title}`)
    for (const title of again) console.log(`    passed only at the second try: ${title}`)
  }
  const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const interrupted = signalled() ? 1 : 0
  console.log(`\n${sum('passed')} passed, ${sum('failed') + interrupted} failed`)
  process.exitCode = sum('failed') + interrupted > 0 ? 1 : 0
}
