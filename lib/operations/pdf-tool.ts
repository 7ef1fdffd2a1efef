import type { ToolDeclaration } from '../../engines/pdf-tools/define'
import type { Problem } from '../../engines/errors'
import { getConfig } from '../config'
import { getEngines } from '../running-engines'
import type { Body, BodyFile, BodyRules } from '../body/body'
import { createRefusal } from '../call-refusal'
import type { Operation, PreparedCall, RunContext } from './operation'
import { describeIssues } from './problems'

const CODE = 'pdf_tool_processing_failed'
const LEAST_TIME_MS = 10_000
const TIME_PER_BYTE_MS = 1000 / 10e6

const BODY_RULES: BodyRules = {
  fileFields: ['file', 'files'],
  jsonFields: ['options'],
  maxStructureBytes: 2 ** 20,
  maxFieldBytes: 30 * 2 ** 20, // The options may contain base64 files. `maxStructureBytes` bounds the rest.
}

/** Creates the operation of a PDF tool from its declaration. */
export function createPdfToolOperation(tool: ToolDeclaration): Operation {
  return {
    id: `pdf-tools/${tool.id}`,
    refusalCode: CODE,
    failureCode: CODE,
    crashCode: 'internal_error',
    bodyRules: BODY_RULES,
    parse: body => parse(tool, body),
  }
}

function parse(tool: ToolDeclaration, { fields, files }: Body): PreparedCall {
  const { options, ...otherFields } = fields
  const unknownFields = Object.keys(otherFields)
  const misplaced = unknownFields.filter(name => Object.hasOwn(tool.options.shape, name))
  const parsed = tool.options.safeParse(options ?? {})
  const problems = [
    ...misplaced.map(name => ({ param: name, message: `is an option; put it into "options": {"${name}": …}` })),
    ...findFileProblems(tool, files),
    ...(parsed.success
      ? []
      : describeIssues(parsed.error.issues, { schema: tool.options, input: options ?? {}, name: 'options' })),
  ]
  if (!parsed.success || problems.length > 0) throw createRefusal(CODE, problems)
  return {
    warnings: unknownFields.length > 0 ? ['unknown-field'] : [],
    unknownFields,
    run: context => run({ tool, options: parsed.data, files }, context),
  }
}

function findFileProblems(tool: ToolDeclaration, files: BodyFile[]): Problem[] {
  const misnamedFile = files.find(({ field }) => !BODY_RULES.fileFields.includes(field))
  if (misnamedFile)
    return [
      {
        param: misnamedFile.field.slice(0, 200),
        message: `files are sent as ${tool.files === 'one' ? '"file"' : '"files"'}`,
      },
    ]
  const count = files.length
  const hasFile = files.some(({ field }) => field === 'file')
  const hasFiles = files.some(({ field }) => field === 'files')
  if (hasFile && hasFiles)
    return [{ param: 'files', message: 'was sent together with "file"; send only one of the two' }]
  if (tool.files === 'many') {
    if (hasFile) return [{ param: 'files', message: `is missing; ${tool.id} takes the PDFs as "files", not as "file"` }]
    if (count < 2)
      return [
        { param: 'files', message: `${count === 0 ? 'is missing' : 'holds 1 file'}; ${tool.id} needs 2 or more PDFs` },
      ]
  } else if (count !== 1) {
    if (count === 0) return [{ param: 'file', message: `is missing; ${tool.id} needs one PDF` }]
    return [
      { param: hasFile ? 'file' : 'files', message: `${count} files were sent; ${tool.id} takes exactly one PDF` },
    ]
  }
  return files.flatMap(({ byteLength }, index) =>
    byteLength > 0 ? [] : [{ param: hasFile ? 'file' : `files[${index}]`, message: 'is empty; send a PDF' }],
  )
}

function run(
  { tool, options, files }: { tool: ToolDeclaration; options: Record<string, unknown>; files: BodyFile[] },
  { accountId, signal }: RunContext,
) {
  const { limits, OPEN_TIMEOUT_MS, TOOL_TIMEOUT_MS, OCR_TIMEOUT_MS } = getConfig()
  const bytes = files.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const toolTimeoutMs =
    tool.timeLimits?.(options) === 'ocr'
      ? OCR_TIMEOUT_MS
      : Math.min(TOOL_TIMEOUT_MS, LEAST_TIME_MS + Math.ceil(bytes * TIME_PER_BYTE_MS))
  const job = {
    tool: tool.id,
    options,
    limits,
    files: files.map(({ name, chunks, byteLength }) => ({ name, chunks, byteLength })),
  }
  return getEngines().run(job, { signal, owner: accountId, openTimeoutMs: OPEN_TIMEOUT_MS, toolTimeoutMs })
}
