import * as z from 'zod'
import type { AcceptedFormat, ToolDeclaration } from '../../engines/tools/define'
import { isEngineError, type Problem } from '../../engines/errors'
import { getConfig } from '../config'
import { getEngines } from '../running-engines'
import type { Body, BodyFile, BodyRules } from '../body/body'
import { createRefusal, describeSentInstead } from '../refusal'
import { checkFields, type FieldHints, type KnownFields } from './check-fields'
import type { Operation, PreparedRequest, RunContext } from './operation'
import { validate } from './validate'
import { recordAttempt, deleteAttempt } from '../../db/queries/sign-in-attempts'
import { getDatabase } from '../database'
import { RequestError } from '../errors'

const CODE = 'pdf_tool_processing_failed'
const LEAST_TIME_MS = 10_000
const TIME_PER_BYTE_MS = 1000 / 10e6

const BODY_RULES: BodyRules = {
  fileFields: ['file', 'files'],
  jsonFields: ['options'],
  textFields: ['options'],
  listFields: [],
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
    parse: (body, hints) => parse(tool, body, hints),
  }
}

/** Checks the fields of a body, and validates the options of the tool. The problems don't concern files. */
export async function readToolFields(tool: ToolDeclaration, body: Pick<Body, 'fields' | 'files'>, hints: FieldHints) {
  const { fields, ...checked } = checkFields(body, knownFieldsOf(tool), hints)
  const parsed = await validate(tool.options, fields['options'] ?? {}, { name: 'options' })
  return { ...checked, options: parsed.data, optionProblems: parsed.problems ?? [] }
}

async function parse(tool: ToolDeclaration, body: Body, hints: FieldHints): Promise<PreparedRequest> {
  const { files, ignored, isFileRefused, problems, options, optionProblems } = await readToolFields(tool, body, hints)
  const fileProblems = isFileRefused ? [] : findFileProblems(tool, files, ignored)
  const all = [...problems, ...fileProblems, ...optionProblems]
  if (!options || all.length > 0)
    throw createRefusal(CODE, all, { reason: all.length > fileProblems.length ? 'options_invalid' : 'file_missing' })
  return {
    warnings: ignored.length > 0 ? ['unknown-field'] : [],
    unknownFields: ignored,
    run: context => run({ tool, options, files }, context),
  }
}

const knownFields = new WeakMap<ToolDeclaration, KnownFields>()

/** The fields of a tool. They are kept, because creating a schema takes longer than checking a small request. */
function knownFieldsOf(tool: ToolDeclaration): KnownFields {
  const known = knownFields.get(tool) ?? {
    schema: z.object({ options: tool.options }),
    fileFields: BODY_RULES.fileFields,
    optionsKey: 'options',
  }
  knownFields.set(tool, known)
  return known
}

/** Files in words. */
const KINDS: Record<AcceptedFormat, { one: string; several: string }> = {
  pdf: { one: 'a PDF', several: 'PDFs' },
  'encrypted-pdf': { one: 'a PDF', several: 'PDFs' },
  'pdf-or-xml': { one: 'a PDF or XML file', several: 'PDF or XML files' },
  images: { one: 'an image', several: 'images' },
}

/** `unknown` are the names of unknown fields, one of which may have been meant as the file. */
function findFileProblems(tool: ToolDeclaration, files: BodyFile[], unknown: string[]): Problem[] {
  const count = files.length
  const { one: kind, several } = KINDS[tool.accepts ?? 'pdf']
  const hasFile = files.some(({ field }) => field === 'file')
  const hasFiles = files.some(({ field }) => field === 'files')
  if (hasFile && hasFiles) return [{ param: 'files', message: 'was sent together with "file". Send only one of them.' }]
  if (tool.files === 'many') {
    if (hasFile)
      return [{ param: 'files', message: `is required. ${tool.id} takes ${several} in "files", not in "file".` }]
    const { least, most } = tool.fileCount ?? { least: 2 }
    if (count < least || count > (most ?? Infinity)) {
      const instead = describeSentInstead(unknown, count === 0 ? 'files' : undefined)
      const amount =
        least === most
          ? `exactly ${least} ${several}`
          : `at least ${least} ${least === 1 ? kind.replace(/^an? /, '') : several}`
      const rule = `${count === 0 ? 'is required and must' : 'must'} have ${amount} for ${tool.id}.`
      return [{ param: 'files', message: count === 0 ? rule + instead : `${rule} Got ${count}.${instead}` }]
    }
  } else if (count !== 1) {
    if (count === 0)
      return [{ param: 'file', message: `is required and must be ${kind}.${describeSentInstead(unknown, 'file')}` }]
    return [
      {
        param: hasFile ? 'file' : 'files',
        message: `must be exactly one ${tool.accepts === undefined ? 'PDF' : 'file'} for ${tool.id}. Got ${count} files.`,
      },
    ]
  }
  return files.flatMap(({ byteLength }, index) =>
    byteLength > 0 ? [] : [{ param: hasFile ? 'file' : `files[${index}]`, message: `is empty. Send ${kind}.` }],
  )
}

function run(
  { tool, options, files }: { tool: ToolDeclaration; options: Record<string, unknown>; files: BodyFile[] },
  { accountId, signal }: RunContext,
) {
  const { limits, OPEN_TIMEOUT_MS } = getConfig()
  const toolTimeoutMs = findToolTimeout(tool, options, files)
  const job = {
    tool: tool.id,
    options,
    limits,
    files: files.map(({ name, chunks, byteLength }) => ({ name, chunks, byteLength })),
  }
  const start = () => getEngines().run(job, { signal, owner: accountId, openTimeoutMs: OPEN_TIMEOUT_MS, toolTimeoutMs })
  return tool.guardsPasswords ? guardPassword(accountId, start) : start()
}

/** The time limit of a tool in milliseconds, after its files are open. */
export function findToolTimeout(
  tool: ToolDeclaration,
  options: Record<string, unknown>,
  files: readonly { byteLength: number }[],
): number {
  const { TOOL_TIMEOUT_MS, OCR_TIMEOUT_MS } = getConfig()
  if (tool.timeLimits?.(options) === 'ocr') return OCR_TIMEOUT_MS
  const bytes = files.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return Math.min(TOOL_TIMEOUT_MS, LEAST_TIME_MS + Math.ceil(bytes * TIME_PER_BYTE_MS))
}

const MAX_WRONG = 20
const LIMITS = { windowMs: 15 * 60_000, perAddress: MAX_WRONG, perIp: MAX_WRONG }

/**
 * Runs work that fails if a password is wrong. Allows 20 wrong passwords of an account in 15 minutes, on all instances
 * together. Work that is running counts as wrong, so that simultaneous requests get no more tries. Throws RequestError
 * `rate_limited` without running the work.
 */
export async function guardPassword<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const name = `unlock-pdf ${accountId}`
  const attempt = await recordAttempt(getDatabase(), { email: name, ip: name }, LIMITS)
  if ('retryAfterS' in attempt)
    throw new RequestError(
      'rate_limited',
      `Your account sent ${MAX_WRONG} wrong passwords in 15 minutes. Retry after ${attempt.retryAfterS} seconds.`,
      { headers: { 'Retry-After': String(attempt.retryAfterS) } },
    )
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = isEngineError(error) && error.reason === 'wrong_password'
    throw error
  } finally {
    if (!isWrong) await deleteAttempt(getDatabase(), attempt.id)
  }
}
