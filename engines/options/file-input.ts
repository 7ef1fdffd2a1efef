import * as z from 'zod'
import { boundedText } from './bounded-text'
import { checked } from './checks'

/** Maximum size of a file in the options. Larger request bodies are rejected anyway. */
export const MAX_OPTION_FILE_BYTES = 10 * 2 ** 20

/** Maximum length of such a file in base64, with line breaks and the start of a `data:` URL. */
const MAX_ENCODED_LENGTH = 15 * 2 ** 20
/** Maximum length of a `data:` URL up to its comma. */
const MAX_URL_START = 256

const TOO_LONG = `must be at most ${MAX_OPTION_FILE_BYTES / 2 ** 20} MB. Send a smaller file.`

/** The text of a file in base64, or of a `data:` URL. */
export function encodedText() {
  return boundedText(MAX_ENCODED_LENGTH, TOO_LONG)
}

/** A file in the options of a tool, such as a logo. */
export type FileInput = z.infer<ReturnType<typeof fileOption>>

/** An option for a file as `{name, dataBase64}`, at most 10 MB. `meaning` describes what the file is for. */
export function fileOption(meaning: string) {
  const data = encodedText().superRefine(checked(dataProblem)).meta({ minLength: 1 })
  return z
    .strictObject({
      name: boundedText(255).min(1).describe('File name.'),
      dataBase64: data.describe(
        'Content of the file in base64, at most 10 MB before encoding. It can start with `data:…;base64,` and ' +
          'contain line breaks.',
      ),
    })
    .describe(`${meaning} Send it as \`{name, dataBase64}\`, at most 10 MB.`)
}

/** The bytes of a file in the options. */
export function readFileInput({ dataBase64 }: FileInput): Uint8Array {
  return Buffer.from(dataBase64, 'base64')
}

/** Reads the image in a `data:` URL. Returns a problem if the URL isn't valid. */
export function dataUri(url: string): FileInput | string {
  const comma = url.slice(0, MAX_URL_START).indexOf(',')
  const [type = '', ...parameters] = url.slice(0, Math.max(0, comma)).split(';')
  const kind = /^data:image\/(png|jpe?g)$/i.exec(type)?.[1]
  if (kind === undefined || parameters.at(-1)?.toLowerCase() !== 'base64') {
    const hint = /^https?:/i.test(url)
      ? "is a web URL, which the API doesn't fetch. Send the file itself"
      : "isn't an image. Send it"
    return `${hint} as {"name", "dataBase64"} or as a data:image/png;base64,… or data:image/jpeg;base64,… URL.`
  }
  const dataBase64 = withoutSpaces(url.slice(comma + 1))
  return dataProblem(dataBase64) ?? { name: `image.${kind.toLowerCase()}`, dataBase64 }
}

/** Removes white space from base64. A replacement would take a second if every other one of millions of characters were a space. */
function withoutSpaces(text: string): string {
  const isSpaced = /\s/.test(text) && !/[^A-Za-z0-9+/=\s]/.test(text)
  return isSpaced ? Buffer.from(text, 'base64').toString('base64') : text
}

/** The search for another character needs no memory. A pattern for the whole text would need some for each character. */
function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/)
  return end < 0 || (end >= text.length - 2 && /^={1,2}$/.test(text.slice(end)))
}

function dataProblem(base64: string): string | undefined {
  if (base64 === '') return 'must not be empty. Send the content of the file in base64.'
  if (base64.length % 4 !== 0 || !isBase64(base64))
    return 'must be base64 with padding. Send the content of the file in base64.'
  const size = (base64.length / 4) * 3
  return size > MAX_OPTION_FILE_BYTES + 2 ? `must be at most 10 MB. Got ${size} bytes.` : undefined
}
