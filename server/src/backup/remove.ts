import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inLineForTerminal } from '@clear-to-post/contract/visible'

/**
 * Removes a folder with all that lies in it, where others may write, too. By the system's `rm`, which opens each folder from the one
 * above it and follows no link: Node's asks what a path is and then reads that path again, and who exchanges a folder for a link in
 * between has it remove what the link leads to. Throws a sentence when something is left.
 */
export const removeFolder = async (path: string): Promise<void> => {
  await promisify(execFile)('rm', ['-rf', '--', path]).catch(() => {
    throw new Error(
      `${inLineForTerminal(path)} could not be removed: remove it by hand, and look who else writes to that folder.`,
    )
  })
}
