import busboy from 'busboy'
import { writeByteLimit } from '../refusal'
import type { Body, BodyLimits, BodyReader, BodyRules, Refuse } from './body'
import { JoinedChunks } from './joined-chunks'
import { parseJsonField } from './json-body'

const FALLBACK_NAME = 'document.pdf'
const MAX_NAME_LENGTH = 200
/** Longer white space isn't an empty part. */
const MAX_EMPTY_LENGTH = 1000

const TRUNCATED = 'The upload is truncated. The multipart body must end with its closing boundary.'

/** Our messages for busboy's errors. busboy limits the header of a part to 16 KB. */
const PROBLEMS: Record<string, string> = {
  'Unexpected end of form': TRUNCATED,
  'Unexpected end of file': TRUNCATED,
  'Malformed part header': 'The headers of each multipart part must be well-formed and at most 16 KB.',
}

/**
 * Reads a multipart/form-data body (RFC 7578). Files are views of the received chunks, except for small chunks. Their names stay as sent, in
 * UTF-8. The content type of a part is ignored.
 */
export function createMultipartReader(
  contentType: string,
  rules: BodyRules,
  limits: Pick<BodyLimits, 'maxFiles' | 'maxParts'> & { refuse: Refuse },
): BodyReader {
  const { maxFiles, maxParts, refuse } = limits
  const body: Body = { encoding: 'form', fields: Object.create(null) as Record<string, unknown>, files: [] }
  let problem: Error | undefined
  const keepFirstProblem = (error: Error) => {
    problem ??= error
  }

  const parser = createParser(contentType, { maxFiles, maxParts, maxFieldBytes: rules.maxFieldBytes }, refuse)
  const closed = new Promise<void>(resolve => parser.once('close', resolve))
  const takeText = (name: string | undefined, value: string, isTruncated: boolean) => {
    try {
      if (name === undefined) throw refuse('Each part of the multipart body must have a name.')
      const field = decodeName(name)
      if (isTruncated) throw refuse(`must be at most ${writeByteLimit(rules.maxFieldBytes)}.`, clip(field))
      addField(body, { name: field, value }, { rules, refuse })
    } catch (error) {
      keepFirstProblem(error as Error) // The error always comes from `refuse`.
    }
  }
  parser.on('field', (name: string | undefined, value, { valueTruncated }) => takeText(name, value, valueTruncated))
  parser.on('file', (name: string | undefined, stream, { filename }: { filename?: string }) => {
    const field = decodeName(name ?? '')
    const isText = rules.textFields.includes(field)
    const joined = new JoinedChunks()
    const { chunks } = joined
    const file = { field, name: decodeName(filename ?? FALLBACK_NAME), chunks, byteLength: 0 }
    if (!isText) body.files.push(file)
    stream.on('error', () => {}) // The form itself reports the truncation.
    stream.on('data', (chunk: Buffer) => {
      file.byteLength += chunk.length
      if (!isText || file.byteLength <= rules.maxFieldBytes) joined.push(chunk)
    })
    stream.on('end', () => joined.end())
    // Browsers, and clients that are generated from the OpenAPI document, send JSON as a part with a file name.
    if (isText)
      stream.on('end', () => {
        const text = Buffer.concat(chunks)
          .toString()
          .replace(/^\uFEFF/, '')
        takeText(name, text, file.byteLength > rules.maxFieldBytes)
      })
  })
  parser.on('fieldsLimit', () =>
    keepFirstProblem(refuse(`The multipart body must have at most ${maxParts} form fields in addition to its files.`)),
  )
  parser.on('filesLimit', () => keepFirstProblem(refuse(`The request must have at most ${maxFiles} files.`)))
  parser.on('error', (error: Error) =>
    keepFirstProblem(refuse(PROBLEMS[error.message] ?? 'The multipart body is malformed.')),
  )

  return {
    write(chunk) {
      if (!problem) parser.write(chunk)
      if (problem) throw problem
    },
    async end() {
      parser.end()
      await closed
      if (problem) throw problem
      for (const name of rules.jsonFields)
        if (name in body.fields) body.fields[name] = await parseTexts(name, body.fields[name], { rules, refuse })
      return body
    },
  }
}

function createParser(
  contentType: string,
  limits: Pick<BodyLimits, 'maxFiles' | 'maxParts'> & { maxFieldBytes: number },
  refuse: Refuse,
): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
      fileHwm: 2 ** 30, // The chunks are kept anyway, so back pressure inside the parser is useless.
      limits: {
        fieldSize: limits.maxFieldBytes + 1,
        files: limits.maxFiles,
        fields: limits.maxParts,
      },
    })
  } catch (cause) {
    const error = refuse('The Content-Type header must have the multipart boundary.')
    error.cause = cause
    throw error
  }
}

function addField(
  body: Body,
  { name, value }: { name: string; value: string },
  { rules, refuse }: { rules: BodyRules; refuse: Refuse },
): void {
  const isRepeated = name in body.fields
  if (isRepeated && !rules.listFields.includes(name)) throw refuse('was sent twice. Send it once.', clip(name))
  if (rules.fileFields.includes(name)) throw refuse('must be a file part with a file name. Got a text field.', name)
  if (value.includes('\uFFFD')) throw refuse("isn't valid UTF-8.", clip(name))
  body.fields[name] = isRepeated ? [body.fields[name], value].flat() : value
}

interface Parsing {
  rules: BodyRules
  refuse: Refuse
}

/** Parses the text of a JSON field, or the texts of a repeated one. */
async function parseTexts(name: string, sent: unknown, parsing: Parsing): Promise<unknown> {
  if (!Array.isArray(sent)) return parseText(name, String(sent), parsing)
  const values: unknown[] = []
  for (const text of sent) values.push(await parseText(name, String(text), parsing))
  return values.flat()
}

/** An empty part counts as not sent. */
async function parseText(name: string, text: string, { rules, refuse }: Parsing): Promise<unknown> {
  if (text.length <= MAX_EMPTY_LENGTH && text.trim() === '') return undefined
  return parseJsonField(text, { param: name, maxStructureBytes: rules.maxStructureBytes, refuse })
}

/** Decodes a name of a part. Browsers encode quotes and line breaks in it, and nothing else (WHATWG HTML, 4.10.21.8). */
function decodeName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, escape => decodeURIComponent(escape))
}

function clip(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
}
