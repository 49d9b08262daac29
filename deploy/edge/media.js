/* oxlint-disable no-unused-vars -- The CDN calls `handler`, and its engine has no catch without a name. */
// What a CDN runs before it answers for /media (CloudFront Functions, cloudfront-js-2.0): an address is checked here as the
// service checks it, so that a file lies in the CDN once and goes only to whoever has a signed address that has not ended.
// `npm run admin -- edge-function` prints this file with the keys of MEDIA_SECRET in it; publish that, and keep it as a secret.
// The newest secret is added here before the service is given it, and the oldest goes from here hours after the service's.
var crypto = require('crypto')

/* keys */ var keys = {}

// An address is good for two windows of two hours; a minute is between clocks. As server/src/assets/addresses.ts has it.
var mostSeconds = 4 * 60 * 60 + 60

var isOurs = Object.assign(Object.create(null), { until: true, name: true, reader: true, key: true, sign: true })

var isFile = /^\/media\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[^%]+$/
// What goes on changing is asked of the service each time, which knows who still reaches it: the CDN keeps none of it. Where it
// does all the same, nobody has it without an address of their own.
var isOfReader = /^\/media\/(zip|kit|export)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function handler(event) {
  var request = event.request
  var path = request.uri
  if (!path.startsWith('/media/')) return request
  // Written as the service writes it, and not in escapes: what the CDN keeps under another path would be asked for by that one.
  if (!isFile.test(path) && !isOfReader.test(path)) return refused(404, 'Not Found')
  if (request.method !== 'GET' && request.method !== 'HEAD') return refused(405, 'Method Not Allowed')
  var query = request.querystring
  // An address of the service's says these, each once and in letters that need no escape, and nothing else. Whatever else stood in
  // one could be read otherwise by the service, whose refusal would then be kept for everybody's good address.
  for (var said in query)
    if (!isOurs[said] || query[said].multiValue !== undefined || decoded(query[said].value) === undefined)
      return refused(404, 'Not Found')
  var id = valueOf(query, 'key')
  var until = valueOf(query, 'until')
  var key = Object.prototype.hasOwnProperty.call(keys, id) ? keys[id] : undefined
  if (key === undefined || until === undefined) return refused(404, 'Not Found')
  var name = valueOf(query, 'name')
  var reader = valueOf(query, 'reader')
  var parts = [path, until, name === undefined ? null : name]
  if (reader !== undefined) parts.push(reader)
  var whole = crypto.createHmac('sha256', Buffer.from(key, 'hex')).update(JSON.stringify(parts)).digest('base64url')
  if (!isSame(whole.slice(0, 24), valueOf(query, 'sign'))) return refused(404, 'Not Found')
  var left = Number(until) - Date.now() / 1000
  if (!(left > 0 && left <= mostSeconds)) return refused(403, 'Forbidden')
  return request
}

function valueOf(query, name) {
  return query[name] === undefined ? undefined : decoded(query[name].value)
}

// Undefined where it is written as no address writes it.
function decoded(value) {
  try {
    return decodeURIComponent(value.replace(/\+/g, ' '))
  } catch (_) {
    return undefined
  }
}

// Takes as long wherever two differ.
function isSame(right, given) {
  if (given === undefined || given.length !== right.length) return false
  var differs = 0
  for (var at = 0; at < right.length; at++) differs |= right.charCodeAt(at) ^ given.charCodeAt(at)
  return differs === 0
}

function refused(status, words) {
  return {
    statusCode: status,
    statusDescription: words,
    headers: { 'cache-control': { value: 'no-store' }, 'x-content-type-options': { value: 'nosniff' } },
  }
}
