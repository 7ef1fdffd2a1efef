import type { RequestParts } from './request-body'

/** A system takes no longer argument of a command than 128 KiB (Linux: MAX_ARG_STRLEN); longer texts go into a file. */
const LONGEST_ARGUMENT = 100_000

/** A command, and the text of a file that it reads beside those that are sent. */
export interface CurlCommand {
  text: string
  /** To be saved beside the other files before. */
  needs?: { name: string; text: string }
}

interface CurlCall {
  url: string
  parts: RequestParts
  fileNames: string[]
  /** What the answer is saved as. */
  outputName: string
}

/** The curl command of a call, for a POSIX shell, with the key from the environment variable SHEAF_API_KEY. */
export function writeCurl({ url, parts, fileNames, outputName }: CurlCall): CurlCommand {
  const { lines, needs } = parts.kind === 'json' ? writeJson(parts.json) : writeForm(parts, fileNames)
  const text = [
    'curl --fail-with-body',
    quoteForShell(url),
    `-H "x-api-key: $SHEAF_API_KEY"`,
    ...lines,
    `-D - -o ${quoteForShell(outputName.startsWith('-') ? `./${outputName}` : outputName)}`,
  ].join(' \\\n  ')
  return { text, ...(needs ? { needs } : {}) }
}

type Lines = { lines: string[]; needs?: { name: string; text: string } }

function writeJson(json: string): Lines {
  const header = '-H "content-type: application/json"'
  if (byteLength(json) > LONGEST_ARGUMENT)
    return { lines: [header, '--data-binary @body.json'], needs: { name: 'body.json', text: json } }
  // With --data, curl would read a file if the data began with @. JSON of an object never does.
  return { lines: [header, `--data-raw ${quoteForShell(json)}`] }
}

function writeForm({ fileField, texts }: Extract<RequestParts, { kind: 'form' }>, fileNames: string[]): Lines {
  const files = fileNames.map(name => `-F ${quoteForShell(`${fileField}=@${quoteForForm(name)}`)}`)
  const longPart = texts.find(({ text }) => byteLength(text) > LONGEST_ARGUMENT)
  const fields = texts.map(part =>
    part === longPart
      ? `-F '${part.name}=<${part.name}.txt'`
      : `--form-string ${quoteForShell(`${part.name}=${part.text}`)}`,
  )
  return {
    lines: [...files, ...fields],
    ...(longPart ? { needs: { name: `${longPart.name}.txt`, text: longPart.text } } : {}),
  }
}

/** Quotes a file name inside -F. Without double quotes, curl would end a name at `,` or `;`. */
function quoteForForm(name: string): string {
  return /[",;\\]/.test(name) ? `"${name.replace(/[\\"]/g, '\\$&')}"` : name
}

/** One word of a POSIX shell, in single quotes where it holds more than plain characters. */
function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
