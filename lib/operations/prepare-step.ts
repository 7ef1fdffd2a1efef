import type { ToolDeclaration } from '../../engines/tools/define'
import { findTool } from '../../engines/tools/registry'
import type { Problem } from '../../engines/errors'
import type { PlannedStep, Warning } from '../../engines/types'
import { pageOptions } from '../../engines/webpage/request/options'
import { isRequestError } from '../errors'
import type { BodyFile } from '../body/body'
import type { FieldHints } from './check-fields'
import { invoiceOperation } from './invoice'
import type { Operation, PreparedRequest } from './operation'
import { readToolFields } from './pdf-tool'
import { webpageOperation } from './webpage'
import { showOptions } from './show-options'
import type { SentStep } from './step-schema'

/** A step whose own fields are valid. Its files aren't known yet. */
export interface PreparedStep extends Pick<PlannedStep, 'kind' | 'id' | 'options' | 'shownOptions'> {
  /** The declaration of a tool. */
  tool?: ToolDeclaration
  /** The request for a web page or an invoice. */
  request?: PreparedRequest
  warnings: Warning[]
  unknownFields: string[]
}

/** A step, or what is wrong with it. */
export type Prepared = { step: PreparedStep; problems?: undefined } | { step?: undefined; problems: Problem[] }

/**
 * Validates the fields of a step as the endpoint of its tool does. Problems begin with `steps[n].`. `files` are the
 * uploads that a web page or an invoice reads.
 */
export async function prepareStep(
  sent: SentStep,
  { at, files, hints }: { at: string; files: readonly BodyFile[]; hints: FieldHints },
): Promise<Prepared> {
  const own = { ...hints, query: [] }
  const tool = sent.tool === undefined ? undefined : findTool(sent.tool)
  if (tool) {
    const fields = { options: sent.options ?? {} }
    const { options, ignored, ...found } = await readToolFields(tool, { fields, files: [] }, own)
    const problems = [...found.problems, ...found.optionProblems]
    if (!options || problems.length > 0) return { problems: problems.map(problem => placeProblem(problem, at)) }
    const shownOptions = showOptions(tool.options, sent.options ?? {}, tool.step.hides)
    return {
      step: {
        kind: 'tool',
        id: tool.id,
        tool,
        options,
        shownOptions,
        ...warnOf(ignored.map(name => `${at}.${name}`)),
      },
    }
  }
  if (sent.webpage) return prepareRequest('webpage', webpageOperation, sent.webpage, { at, files, hints: own })
  return prepareRequest('invoice', invoiceOperation, sent.invoice ?? {}, { at, files, hints: own })
}

async function prepareRequest(
  kind: 'webpage' | 'invoice',
  operation: Operation,
  fields: Record<string, unknown>,
  { at, files, hints }: { at: string; files: readonly BodyFile[]; hints: FieldHints },
): Promise<Prepared> {
  const field = kind === 'webpage' ? 'file' : 'logo'
  try {
    const sent = files.map(file => ({ ...file, field, chunks: [...file.chunks] }))
    const request = await operation.parse({ encoding: 'json', fields: { ...fields }, files: sent }, hints)
    const options = (request.job?.options ?? fields) as Record<string, unknown> // An invoice is an object.
    const names = (request.unknownFields ?? []).map(name => `${at}.${kind}.${name}`)
    const warnings = request.warnings.filter(warning => warning !== 'unknown-field')
    const known = warnOf(names)
    return {
      step: {
        kind,
        id: kind,
        options,
        shownOptions: showOptions(kind === 'webpage' ? pageOptions : undefined, fields),
        request,
        unknownFields: known.unknownFields,
        warnings: [...warnings, ...known.warnings],
      },
    }
  } catch (error) {
    if (!isRequestError(error) || error.problems.length === 0) throw error
    return { problems: error.problems.map(problem => placeProblem(problem, `${at}.${kind}`)) }
  }
}

function warnOf(unknownFields: string[]): Pick<PreparedStep, 'warnings' | 'unknownFields'> {
  return { warnings: unknownFields.length > 0 ? ['unknown-field'] : [], unknownFields }
}

/** A problem of a step's own field, with the path of the step before its parameter. */
export function placeProblem({ param, ...problem }: Problem, at: string): Problem {
  return { ...problem, param: param === undefined ? at : `${at}.${param}` }
}
