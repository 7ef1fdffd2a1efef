import * as z from 'zod'

/** Maximum size of a file in the options. Larger request bodies are rejected anyway. */
export const MAX_OPTION_FILE_BYTES = 10 * 2 ** 20

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** A file in the options of a tool, such as a logo. */
export type FileInput = z.infer<ReturnType<typeof fileOption>>

/** An option for a file as `{name, dataBase64}`, at most 10 MB. `meaning` describes what the file is for. */
export function fileOption(meaning: string) {
  const data = z
    .string()
    .superRefine((value, context) => {
      const problem = dataProblem(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .meta({ minLength: 1 })
  return z
    .strictObject({
      name: z.string().min(1).max(255).describe('File name.'),
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

const DATA_URI = /^data:image\/(png|jpe?g)(?:;[^,;]*)*;base64,(.*)$/is

/** Reads the image in a `data:` URL. Returns a problem if the URL isn't valid. */
export function dataUri(url: string): FileInput | string {
  const [, kind, data] = DATA_URI.exec(url) ?? []
  if (kind === undefined || data === undefined) {
    const hint = /^https?:/i.test(url)
      ? "is a web URL, which the API doesn't fetch. Send the file itself"
      : "isn't an image. Send it"
    return `${hint} as {"name", "dataBase64"} or as a data:image/png;base64,… or data:image/jpeg;base64,… URL.`
  }
  const dataBase64 = data.replace(/\s+/g, '')
  return dataProblem(dataBase64) ?? { name: `image.${kind.toLowerCase()}`, dataBase64 }
}

function dataProblem(base64: string): string | undefined {
  if (base64 === '') return 'must not be empty. Send the content of the file in base64.'
  if (base64.length % 4 !== 0 || !BASE64.test(base64))
    return 'must be base64 with padding. Send the content of the file in base64.'
  const size = (base64.length / 4) * 3
  return size > MAX_OPTION_FILE_BYTES + 2 ? `must be at most 10 MB. Got ${size} bytes.` : undefined
}
