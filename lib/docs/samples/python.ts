import { mediaTypeOf } from './media-type'
import { Code, type LiteralStyle, writeLiteral } from './literal'
import { KEY_VARIABLE, PATIENCE_S, plainText, type SampleLanguage, type SampleRequest } from './request'

/** JSON values in Python. */
export const PYTHON_STYLE: LiteralStyle = {
  words: { true: 'True', false: 'False', null: 'None' },
  text: quote,
  list: { open: '[', close: ']' },
  map: () => ({ open: '{', close: '}' }),
  entry: (key, value) => `${quote(key)}: ${value}`,
  indent: '    ',
}
const INSIDE = '    '

/** Python 3 with the package requests. */
export const python: SampleLanguage = {
  id: 'python',
  name: 'Python',
  writeForm(request) {
    const { files, values } = request
    const isJson = Object.values(values).some(value => plainText(value) === undefined)
    const texts = Object.entries(values).map(([name, value]) => [name, writeText(value)] as const)
    const isMany = files !== undefined && files.names.length > 1
    const setup = isMany ? `names = ${writeLiteral(files.names, PYTHON_STYLE)}\n` : ''
    // Without files, requests only creates a multipart form from entries without a file name.
    const parts = files
      ? [
          `    files=${writeFileParts(files)},\n`,
          ...(texts.length > 0 ? [`    data=${writeLiteral(Object.fromEntries(texts), PYTHON_STYLE, INSIDE)},\n`] : []),
        ]
      : [
          '    ' +
            `files={\n${texts.map(([name, text]) => `        ${quote(name)}: (None, ${text.code}),\n`).join('')}    ` +
            `},\n`,
        ]
    return `${writeImports(request, { json: isJson })}\n\n${setup}${writeSending(request, parts)}`
  },
  writeJson(request) {
    const { files, values } = request
    const [first = ''] = files?.names ?? []
    const isMany = files !== undefined && files.names.length > 1
    const readBase64 = (name: string) => `base64.b64encode(open(${name}, 'rb').read()).decode()`
    const input = isMany
      ? new Code(`[{'name': name, 'dataBase64': ${readBase64('name')}} for name in names]`)
      : { name: first, dataBase64: new Code(readBase64(quote(first))) }
    const body = files ? { [files.field]: input, ...values } : values
    const setup = isMany ? `names = ${writeLiteral(files.names, PYTHON_STYLE)}\n` : ''
    return `${writeImports(request, { base64: files !== undefined })}\n\n${setup}${writeSending(request, [`    json=${writeLiteral(body, PYTHON_STYLE, INSIDE)},\n`])}`
  },
}

function writeImports(
  { apiKey }: SampleRequest,
  { json = false, base64 = false }: { json?: boolean; base64?: boolean },
): string {
  return [
    ...(base64 ? ['import base64'] : []),
    ...(json ? ['import json'] : []),
    ...(apiKey === undefined ? ['import os'] : []),
    'import requests',
  ].join('\n')
}

function writeFileParts({ field, names }: { field: string; names: string[] }): string {
  const part = (name: string) => `(${name}, open(${name}, 'rb'), '${mediaTypeOf(...names)}')`
  if (names.length === 1) return `{${quote(field)}: ${part(quote(names[0] ?? ''))}}`
  return `[(${quote(field)}, ${part('name')}) for name in names]`
}

function writeText(value: unknown): Code {
  const text = plainText(value)
  return new Code(
    text === undefined ? `json.dumps(${writeLiteral(value, PYTHON_STYLE, INSIDE + INSIDE)})` : quote(text),
  )
}

function writeSending({ url, apiKey, responseName }: SampleRequest, body: string[]): string {
  const key = apiKey === undefined ? `os.environ['${KEY_VARIABLE}']` : quote(apiKey)
  return `response = requests.post(
    ${quote(url)},
    headers={'x-api-key': ${key}},
${body.join('')}    timeout=${PATIENCE_S},
)
if not response.ok:
    raise SystemExit(f'{response.status_code} {response.text}')
with open(${quote(responseName)}, 'wb') as file:
    file.write(response.content)
print(response.headers['x-credit-balance'], 'credits left')`
}

/** Returns a text in single quotes. All JSON escapes are valid in Python. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
