import type { DocumentedCall } from './documented-calls'

type Part = Record<string, unknown>

/** The first bytes of a PDF. */
const EXAMPLE_BYTES = 'JVBERi0xLjcK'

/** Returns the JSON body of an example. Its files contain the first bytes of a PDF. */
export function writeJsonExample({ files, optionsKey }: DocumentedCall, options: unknown): Part {
  const file = (name: string) => ({ name, dataBase64: EXAMPLE_BYTES })
  const sent = {
    one: { file: file('report.pdf') },
    many: { files: [file('letter.pdf'), file('terms.pdf')] },
    html: {},
    none: {},
  }[files]
  if (optionsKey === undefined) return { ...sent, ...(options as Part) } // The fields of a body are an object.
  return isEmpty(options) ? sent : { ...sent, options }
}

function isEmpty(options: unknown): boolean {
  return Object.keys(options as Part).length === 0 // An example of a tool is an object.
}
