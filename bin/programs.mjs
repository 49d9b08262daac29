// The programs that are no npm packages.
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { capture, forTerminal, quietly, step, Told } from './run.mjs'

/** ffmpeg and ffprobe, and where it can be had the sandbox they run in. Throws what to install where we may not. */
export async function bringFfmpeg(root) {
  const missing = ['ffmpeg', 'ffprobe'].filter((name) => !find(process.env[`${name.toUpperCase()}_PATH`] || name))
  if (missing.length > 0) {
    await installOnDebian('ffmpeg', ['ffmpeg', 'bubblewrap'], {
      otherwise:
        `The service needs ${missing.join(' and ')}, which this machine does not have. Install the package ffmpeg ` +
        '(Debian: apt-get install ffmpeg bubblewrap; macOS: brew install ffmpeg), or set FFMPEG_PATH and FFPROBE_PATH.',
    })
  } else if (process.platform === 'linux' && !find('bwrap')) {
    await tryOnce(join(root, '.node', 'asked-for-bubblewrap'), () =>
      installOnDebian('bubblewrap, the sandbox for media', ['bubblewrap'], { otherwise: '' }),
    )
  }
}

/** What finds a script's words in a recording. The product runs without it; word times are then only estimated. */
export async function bringPocketsphinx(root) {
  const model = process.env.POCKETSPHINX_MODEL || '/usr/share/pocketsphinx/model/en-us'
  if (find(process.env.POCKETSPHINX_PATH || 'pocketsphinx_batch') && existsSync(join(model, 'cmudict-en-us.dict')))
    return
  await tryOnce(join(root, '.node', 'asked-for-pocketsphinx'), () =>
    installOnDebian('PocketSphinx, which finds the words of a script', ['pocketsphinx', 'pocketsphinx-en-us'], {
      otherwise:
        'PocketSphinx is missing, so the times of words in captions will only be estimated. Install it (Debian: apt-get ' +
        'install pocketsphinx pocketsphinx-en-us), or set POCKETSPHINX_PATH and POCKETSPHINX_MODEL.',
    }),
  )
}

/** A Chromium for the tests in a browser; returns its path. */
export async function bringChromium() {
  const found = () =>
    [process.env.CHROMIUM_PATH, 'chromium', 'chromium-browser', 'google-chrome'].map(find).find(Boolean)
  if (!found()) {
    await installOnDebian('Chromium', ['chromium', 'fonts-liberation'], {
      otherwise:
        'The tests in a browser need Chromium, which this machine does not have. Install it ' +
        '(Debian: apt-get install chromium), or set CHROMIUM_PATH.',
    })
  }
  return found()
}

/** A Chromium without windows, which takes a third less of a processor; the path of `otherwise` where there is none to be had. */
export async function bringChromiumShell(root, otherwise) {
  const found = () => [process.env.CHROMIUM_SHELL_PATH, 'chromium-headless-shell'].map(find).find(Boolean)
  if (!found())
    await tryOnce(join(root, '.node', 'asked-for-chromium-headless-shell'), () =>
      installOnDebian('Chromium without windows', ['chromium-headless-shell'], { otherwise: '' }),
    )
  return found() ?? otherwise
}

/** The program's absolute path; undefined when it is not there. */
function find(name) {
  if (!name) return undefined
  const places = isAbsolute(name) ? [name] : (process.env.PATH ?? '').split(delimiter).map((place) => join(place, name))
  return places.find(isProgram)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function installOnDebian(title, packages, { otherwise }) {
  const apt = await aptGet()
  if (!apt) throw new Told(otherwise)
  await step(`Installing ${title} (apt-get install ${packages.join(' ')})`, async () => {
    const [file, ...before] = apt
    const next = otherwise
    await quietly(file, [...before, 'update', '-q'], { next })
    await quietly(file, [...before, 'install', '-y', '-q', '--no-install-recommends', ...packages], { next })
  })
}

/** How to call apt-get here; undefined where there is none, or where it would ask for a password. */
async function aptGet() {
  if (!find('apt-get')) return undefined
  const call = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=300']
  if (process.getuid() === 0) return call
  const { code } = await capture('sudo', ['-n', 'true'])
  return code === 0 ? ['sudo', '-n', ...call] : undefined
}

/** For what is good to have and may fail: not again at every start. */
async function tryOnce(mark, work) {
  if (existsSync(mark)) return
  await mkdir(join(mark, '..'), { recursive: true })
  writeFileSync(mark, '')
  await work().catch(
    (error) => error.message && console.log(`  not to be had: ${forTerminal(error.message.split('\n')[0])}`),
  )
}
