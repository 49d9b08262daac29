import { dirname, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Builds the panel unless it is up to date, as `npm start` does. */
export const buildPanel = async (): Promise<void> => {
  const { buildWeb } = (await import(`${root}/bin/web.mjs`)) as {
    buildWeb: (root: string, tools: { env: NodeJS.ProcessEnv; nodeDirectory: string }) => Promise<void>
  }
  await buildWeb(root, { env: process.env, nodeDirectory: dirname(process.execPath) })
}
