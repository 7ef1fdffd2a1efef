import type { RequestParts } from './request-body'

/** Linux limits an argument of a command to 128 KiB (MAX_ARG_STRLEN). The command reads a longer text from a file. */
const LONGEST_ARGUMENT = 100_000

/** A command, and the text of an additional file that the command reads. */
export interface CurlCommand {
  text: string
  /** The text must be saved next to the other files first. */
  needs?: { name: string; text: string }
}

interface CurlInput {
  url: string
  parts: RequestParts
  fileNames: string[]
  /** File name for the response. */
  outputName: string
}

/** Returns a request as a curl command for a POSIX shell. The key comes from the variable SHEAF_API_KEY. */
export function writeCurl({ url, parts, fileNames, outputName }: CurlInput): CurlCommand {
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

/** Returns a text as one word of a POSIX shell, in single quotes if it contains special characters. */
function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
