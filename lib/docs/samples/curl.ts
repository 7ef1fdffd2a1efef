import { KEY_VARIABLE, plainText, type SampleLanguage, type SampleRequest } from './request'

/**
 * curl in a POSIX shell. curl writes an error body to the output file, so the sample prints that file and deletes it.
 */
export const curl: SampleLanguage = {
  id: 'curl',
  name: 'curl',
  writeForm(request) {
    const parts = writeFormParts(request).map(part => `  ${part} \\`)
    return [...writeHead(request), ...parts, `  ${writeEnd(request)}`].join('\n')
  },
  writeJson(request) {
    const { files, values } = request
    const head = [...writeHead(request), '  -H "content-type: application/json" \\']
    if (!files)
      return [...head, `  -d ${quote(JSON.stringify(values, null, 2))} \\`, `  ${writeEnd(request)}`].join('\n')
    return [...head, `  -d @- ${writeEnd(request, ' <<JSON')}`, writeJsonWithFiles(files, values), 'JSON'].join('\n')
  },
}

/**
 * Returns the shortest command for a request, as a form if `isForm` is true. If the request fails, the output file
 * contains the error.
 */
export function writeShortCurl(request: SampleRequest, isForm: boolean): string {
  const text = isForm ? curl.writeForm(request) : curl.writeJson(request)
  return text.replace(writeEnd(request), `-o ${quote(request.responseName)}`)
}

/** Returns a short command in lines as narrow as the URL allows, for a place with little room. */
export function writeNarrowCurl(request: SampleRequest): string {
  const [, key = ''] = writeHead(request)
  const lines = [
    `curl --fail-with-body -o ${quote(request.responseName)}`,
    `  ${request.url}`,
    key.replace(/ \\$/, ''),
    ...writeFormParts(request).map(part => `  ${part}`),
  ]
  return lines.join(' \\\n')
}

/**
 * Returns commands that work in any writable folder: they download the request's files from `sampleUrl` into a new
 * folder, send the request there, and print where the response is.
 */
export function writeFirstCurl(request: SampleRequest, sampleUrl: string): string {
  const names = request.files?.names ?? []
  const name = quote(request.responseName)
  return [
    'mkdir -p sheaf-first-request && cd sheaf-first-request',
    `curl -fsS ${names.map(one => `-O ${sampleUrl}/${one}`).join(' ')}`,
    curl
      .writeForm(request)
      .replace(
        writeEnd(request),
        `-o ${name} && echo "Saved $PWD/${request.responseName}" || (cat ${name}; rm -f ${name}; exit 1)`,
      ),
  ].join('\n')
}

function writeFormParts({ files, values }: SampleRequest): string[] {
  return [
    ...(files?.names ?? []).map(name => `-F ${files?.field}=@${quote(name)}`),
    ...Object.entries(values).map(([name, value]) => writeField(name, plainText(value) ?? JSON.stringify(value))),
  ]
}

/** In `-F`, curl interprets some first characters, quotes after them, backslashes, and everything after a semicolon. */
function writeField(name: string, text: string): string {
  const option = /^(\w[\w.-]*|[{[][^;\\]*)$/.test(text) ? '-F' : '--form-string'
  return `${option} ${name}=${quote(text)}`
}

function writeHead({ url, apiKey }: SampleRequest): string[] {
  return [`curl --fail-with-body ${url} \\`, `  -H "x-api-key: ${apiKey ?? `$${KEY_VARIABLE}`}" \\`]
}

function writeEnd({ responseName }: SampleRequest, input = ''): string {
  const name = quote(responseName)
  return `-D - -o ${name}${input} || (cat ${name}; rm -f ${name}; exit 1)`
}

/** Returns the body for a shell: special characters are escaped, and `base64` inserts the files. */
function writeJsonWithFiles(
  { field, names }: { field: string; names: string[] },
  values: Record<string, unknown>,
): string {
  // A zero marks where a file goes, because no text of a request has one. JSON and the escapes make `\\u0000` of it.
  const inputs = names.map(name => ({ name, dataBase64: `\0${name}\0` }))
  const body = JSON.stringify({ [field]: field === 'files' ? inputs : inputs[0], ...values }, null, 2)
  const escaped = body.replace(/[\\$`]/g, sign => (sign === '\\' ? '\\\\' : `\\${sign}`))
  return names.reduce(
    (text, name) => text.replaceAll(`\\\\u0000${name}\\\\u0000`, `$(base64 < ${quote(name)} | tr -d '\\n')`),
    escaped,
  )
}

function quote(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
