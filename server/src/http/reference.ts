import type { FastifyInstance } from 'fastify'
import { everyCall } from '@clear-to-post/contract/api'
import { kinds, refusals } from '@clear-to-post/contract/errors'
import { otherOperations } from './other-operations.ts'
import { allowStyle } from '../kernel/headers.ts'
import { openapi, whoMay } from './openapi.ts'
import { Packed } from './packed.ts'

/**
 * `/api/docs`: the reference for people, one page without scripts or outside hosts; `/api/openapi.json` for programs. Each is
 * written and compressed when it is first asked for: a service that starts has other things to do.
 */
export const mountReference = (app: FastifyInstance, version: string, { limits }: { limits: boolean }): void => {
  const json = once(() => JSON.stringify(openapi(version)))
  const html = once(() => page(version))
  const [packedJson, packedHtml] = [new Packed('application/json'), new Packed('text/html; charset=utf-8')]
  // The same for everybody: nobody needs it often.
  const limited = limits ? { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } } : {}
  app.get('/api/openapi.json', limited, (request, reply) => packedJson.send(request, reply, json()))
  app.get('/api/docs', limited, (request, reply) => packedHtml.send(request, allowStyle(reply, style), html()))
}

const once = (write: () => string): (() => string) => {
  let written: string | undefined
  return () => (written ??= write())
}

type Property = {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Property[]
  items?: Property
  properties?: Record<string, Property>
  required?: string[]
  description?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
}
type Operation = {
  summary: string
  parameters?: { name: string; in: string; required: boolean; schema: Property; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Property }> }
  responses: Record<
    string,
    {
      description: string
      headers?: Record<string, { schema: Property; description: string }>
      content?: Record<string, { schema: Property }>
    }
  >
}

const page = (version: string): string => {
  const { paths, components } = openapi(version) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Property> }
  }
  const calls = everyCall.map(({ name, shape }) => ({
    name,
    method: shape.method as string,
    path: (shape.base ?? '/api') + shape.path.replace(/:(\w+)/g, '{$1}'),
    summary: shape.summary,
    about: '',
    who: whoMay(shape),
    form: shape.form === true,
    refuses: shape.refuses as readonly (keyof typeof refusals)[],
  }))
  const others = otherOperations.map(({ description, ...other }) => ({ ...other, about: description, form: false }))
  const rooms = Map.groupBy([...calls, ...others], ({ name }) => name.split('.')[0]!)
  const article = ({ name, method, path, summary, about, who, form, refuses }: (typeof calls)[number]) => {
    const { parameters, requestBody, responses } = paths[path]![method.toLowerCase()]!
    const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2'))!
    const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
    const answer = success.content?.['application/json']?.schema
    const others = Object.entries(responses).filter(([code, { content }]) => code !== status && !content)
    return `<article id="${name}"><h3><code class="${method}">${method}</code> <code>${text(path)}</code></h3>
<p>${text(summary)}.</p>${about ? `<p>${coded(about)}</p>` : ''}<p class="who">${text(who)}</p>
${parameters ? `<h4>Parameters</h4>${rows(parameters.map(({ name: field, required, schema, description, in: place }) => [field, required, [`${kind(schema)} (${place})`, description ?? schema.description].filter(Boolean).join(' · ')]))}` : ''}
${type && body ? `<h4>Body${form ? ' (JSON or form)' : type === 'application/json' ? '' : `: ${text(type)}`}</h4>${fields(body.schema)}` : ''}
<h4>Answer ${status}</h4>${answer ? fields(answer) : `<p>${text([success.description, ...Object.keys(success.content ?? {})].join(': '))}</p>`}
${success.headers ? rows(Object.entries(success.headers).map(([header, { schema, description }]) => [header, true, `${kind(schema)} (header) · ${description}`])) : ''}
${others.length > 0 ? `<h4>Other answers</h4><ul>${others.map(([code, { description }]) => `<li>${code} – ${coded(description)}</li>`).join('')}</ul>` : ''}
${refuses.length > 0 ? `<h4>Refuses</h4><ul>${refuses.map((code) => `<li><code>${code}</code> ${kinds[refusals[code].kind]} – ${text(refusals[code].message)}</li>`).join('')}</ul>` : ''}</article>`
  }
  const section = [...rooms].map(
    ([room, list]) => `<section><h2 id="${room}">${room}</h2>${list.map(article).join('')}</section>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clear to Post: API reference</title><style>${style}</style></head><body>
<header><h1>Clear to Post API</h1><p>Version ${text(version)}. For programs: <a href="/api/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Rooms">${[...rooms.keys()].map((room) => `<a href="#${room}">${room}</a>`).join(' ')}</nav>
<main><section><h2>How it speaks</h2>
<p>JSON in, JSON out. Send <code>Authorization: Bearer …</code> with an ID token from <code>POST /identity/sign-in/password</code>. Paths answer with and without their trailing slash.</p>
<p>A failure is <code>{ "message", "kind", "code", "requestId", "issues"? }</code>; its kind tells the status: ${Object.entries(
    kinds,
  )
    .map(([name, status]) => `<code>${name}</code> ${status}`)
    .join(', ')}.</p>
<p>Send an <code>X-Request-Id</code> of your own with a POST, PUT or DELETE and repeat freely: the same id answers the first result for 24 hours, and another body under it is refused.</p>
<p>Files come in at <code>/uploads</code> and are then named by their ids; what happens is told at <code>/api/events</code>.</p>
<p>Lists take <code>perPage</code> (1–100), <code>cursor</code>, <code>orderBy=field:asc</code> and <code>wheres=field:operation:value</code>; they answer <code>{ items, nextCursor }</code>.</p></section>
${section.join('')}<section><h2>Entities</h2>${Object.entries(components.schemas)
    .map(([name, schema]) => `<article id="${name}"><h3>${name}</h3>${fields(schema)}</article>`)
    .join('')}</section></main></body></html>`
}

const fields = (schema: Property): string => {
  if (schema.$ref) return `<p>${linked(nameOf(schema.$ref))}</p>`
  const shape = schema.properties ? schema : (schema.anyOf?.find((one) => one.properties) ?? schema)
  if (shape.type === 'array' && shape.items) return `<p>A list of:</p>${fields(shape.items)}`
  if (!shape.properties) return `<p>${text(kind(shape))}</p>`
  return rows(
    Object.entries(shape.properties).map(([name, one]) => [
      name,
      shape.required?.includes(name) ?? false,
      [kind(one), one.description].filter(Boolean).join(' · '),
    ]),
  )
}

const rows = (list: [name: string, required: boolean, says: string][]): string =>
  `<table><tbody>${list.map(([name, required, says]) => `<tr><th scope="row"><code>${text(name)}${required ? '' : '?'}</code></th><td>${text(says)}</td></tr>`).join('')}</tbody></table>`

const nameOf = (ref: string): string => ref.split('/').at(-1)!

// What stands between backticks is code.
const coded = (raw: string): string => text(raw).replace(/`([^`]+)`/g, '<code>$1</code>')

const linked = (name: string): string => `<a href="#${name}">${name}</a>`

const kind = (p: Property): string => {
  if (p.$ref) return nameOf(p.$ref)
  if (p.const !== undefined) return JSON.stringify(p.const)
  if (p.enum) return p.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (p.anyOf) return [...new Set(p.anyOf.map(kind))].join(' | ')
  if (p.type === 'array')
    return `list of ${p.items?.properties ? `{ ${Object.keys(p.items.properties).join(', ')} }` : kind(p.items ?? {})}`
  if (p.properties) return `{ ${Object.keys(p.properties).join(', ')} }`
  const limits = [
    p.minimum !== undefined && p.minimum > -1e15 ? `≥ ${p.minimum}` : '',
    p.maximum !== undefined && p.maximum < 1e15 ? `≤ ${p.maximum}` : '',
    p.maxLength ? `at most ${p.maxLength} characters` : '',
  ]
  return [
    p.format ?? (Array.isArray(p.type) ? p.type.join(' | ') : (p.type ?? 'anything')),
    ...limits.filter(Boolean),
  ].join(', ')
}

const text = (raw: string): string => raw.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

const style = `:root{color-scheme:light dark;--ink:#0F1729;--muted:#566074;--canvas:#F6F7F9;--surface:#fff;--line:#dfe3ea;--primary:#2647E0}
@media (prefers-color-scheme:dark){:root{--ink:#E8ECF4;--muted:#a3adbf;--canvas:#0C111B;--surface:#141B28;--line:#263043;--primary:#8EA2FF}}
*{box-sizing:border-box}body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
header,nav,main{max-width:56rem;margin:0 auto;padding:0 1.25rem}header{padding-top:2.5rem}h1{margin:0;letter-spacing:-.02em}a{color:var(--primary)}
nav{position:sticky;top:0;display:flex;gap:.25rem 1rem;flex-wrap:wrap;padding-block:.75rem;background:var(--canvas);border-bottom:1px solid var(--line)}nav a{padding:.35rem 0}
h2{margin:2.5rem 0 .5rem;text-transform:capitalize}h3{margin:0;font-size:1rem;overflow-wrap:anywhere}h4{margin:1rem 0 .25rem;font-size:.8125rem;color:var(--muted);font-weight:600}
article{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:1rem 1.25rem;margin:.75rem 0;scroll-margin-top:5rem}h2{scroll-margin-top:4rem}
.who{color:var(--muted);font-size:.875rem;margin:.25rem 0}article p{margin:.35rem 0}table{width:100%;border-collapse:collapse;font-size:.875rem}th{text-align:left;font-weight:400;width:14rem;vertical-align:top}
th,td{padding:.3rem .5rem .3rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}code{font:.875em ui-monospace,monospace}h3 code:first-child{color:var(--primary);font-weight:600}ul{margin:.25rem 0;padding-left:1.1rem;font-size:.875rem}
@media (max-width:36rem){th{width:9rem}}`
