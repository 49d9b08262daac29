// node submit.mjs ORIGIN EMAIL PASSWORD VIDEO – submits a project from a script.
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Upload } from 'tus-js-client'
import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'

const [origin, email, password, video] = process.argv.slice(2)
const { idToken } = await client({ origin })(identity.password, { body: { email, password } })
const call = client({ origin, token: () => idToken })
const assetId = await new Promise((onDone, onError) => {
  const metadata = { filename: basename(video), filetype: 'video/mp4' }
  const options = {
    endpoint: `${origin}/uploads`,
    headers: { authorization: `Bearer ${idToken}` },
    chunkSize: 8e6,
    metadata,
  }
  const onSuccess = () => onDone(upload.url.split('/').at(-1))
  const upload = new Upload(createReadStream(video), { ...options, onError, onSuccess })
  upload.start()
})
while (['received', 'checking'].includes((await call(assets.find, { params: { assetId } })).state)) await sleep(500)
const project = await call(projects.create, { body: { title: 'Rate locks in a minute', assets: [assetId] } })
console.log(`${project.title}: ${origin}/panel/projects/${project.id}`)
