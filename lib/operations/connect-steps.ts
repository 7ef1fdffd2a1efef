import type { AcceptedFormat, ResultKind, ToolDeclaration } from '../../engines/tools/define'
import type { Problem } from '../../engines/errors'
import { findNearestName } from '../../engines/options/nearest-name'
import type { StepInput } from '../../engines/types'
import type { BodyFile } from '../body/body'
import type { SentStep } from './step-schema'
import type { PreparedStep } from './prepare-step'

/** The inputs of each step, by position, and what is wrong with the names. */
export interface Connections {
  inputs: StepInput[][]
  problems: Problem[]
}

/**
 * Finds the files of each step by name. Without names, the first step reads all uploads, and any other tool the result
 * before it. A name that is unknown or means two files, and a file that no step reads, is a problem.
 */
export function connectSteps(steps: readonly SentStep[], files: readonly Pick<BodyFile, 'name'>[]): Connections {
  const problems: Problem[] = []
  const known = new Map<string, StepInput>()
  const twice = new Set<string>()
  for (const [file, { name }] of files.entries()) {
    if (known.has(name)) twice.add(name)
    known.set(name, { file })
  }
  const read = (name: string, param: string): StepInput[] => {
    const input = known.get(name)
    if (twice.has(name)) problems.push({ param, message: `${quote(name)} is the name of two uploads. Rename one.` })
    else if (!input) problems.push({ param, message: describeUnknown(name, [...known.keys()]) })
    return input && !twice.has(name) ? [input] : []
  }
  const inputs = steps.map((step, index) => {
    const named = step.files?.flatMap((name, at) => read(name, `steps[${index}].files[${at}]`))
    if (step.as !== undefined) {
      const param = `steps[${index}].as`
      if (known.has(step.as)) problems.push({ param, message: `must be a new name. ${quote(step.as)} is taken.` })
      known.set(step.as, { step: index })
    }
    return named ?? defaultInputs(step, index, files.length)
  })
  return { inputs, problems: [...problems, ...(problems.length > 0 ? [] : findUnread(steps, files, inputs))] }
}

function defaultInputs({ tool }: SentStep, index: number, fileCount: number): StepInput[] {
  if (tool === undefined) return []
  return index === 0 ? Array.from({ length: fileCount }, (_, file) => ({ file })) : [{ step: index - 1 }]
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  const names = known.slice(0, 20).map(quote).join(', ')
  const hint = nearest ? `Did you mean ${quote(nearest)}?` : known.length > 0 ? `Known names are ${names}.` : ''
  return `must be the name of an upload or of an earlier result. ${quote(name)} is neither. ${hint}`.trim()
}

/** Uploads and results that nothing reads. The last result is the response. */
function findUnread(
  steps: readonly SentStep[],
  files: readonly Pick<BodyFile, 'name'>[],
  inputs: readonly StepInput[][],
): Problem[] {
  const all = inputs.flat()
  const unreadFiles = files.flatMap(({ name }, index) =>
    all.some(input => 'file' in input && input.file === index)
      ? []
      : [
          {
            param: `files[${index}]`,
            message: `is read by no step. Name ${quote(name)} in files of a step, or leave it out.`,
          },
        ],
  )
  const unreadResults = steps.slice(0, -1).flatMap(({ as }, index) =>
    all.some(input => 'step' in input && input.step === index)
      ? []
      : [
          {
            param: `steps[${index}]`,
            message:
              as === undefined
                ? 'has a result that no later step reads. Give it a name with as, and name it in files of a later step.'
                : `has a result that no later step reads. Name ${quote(as)} in files of a later step.`,
          },
        ],
  )
  return [...unreadFiles, ...unreadResults]
}

/** The kinds of results that a tool reads. Uploads are checked when they are opened. */
const READS: Record<AcceptedFormat, readonly ResultKind[]> = {
  pdf: ['pdf', 'pdfs'],
  'encrypted-pdf': ['encrypted-pdf'],
  'pdf-or-xml': ['pdf', 'xml'],
  images: ['images'],
}

const KINDS: Record<ResultKind, string> = {
  pdf: 'a PDF',
  'encrypted-pdf': 'an encrypted PDF',
  pdfs: 'several PDFs',
  images: 'images',
  xml: 'XML',
  other: 'text or data',
}

const WANTED: Record<AcceptedFormat, string> = {
  pdf: 'PDFs',
  'encrypted-pdf': 'an encrypted PDF',
  'pdf-or-xml': 'a PDF or XML',
  images: 'images',
}

/** Returns what contradicts itself in the order of the steps: results that a step can't read, and undone work. */
export function findOrderProblems(steps: readonly PreparedStep[], inputs: readonly StepInput[][]): Problem[] {
  const kinds = steps.map(findKind)
  return steps.flatMap((step, index) => {
    const own = inputs[index] ?? []
    const wrong = step.tool ? findWrongFiles(step.tool, own, { steps, kinds, at: `steps[${index}]` }) : []
    return wrong.length > 0 ? wrong : findUndone(steps, inputs, index)
  })
}

function findKind({ kind, tool, options }: PreparedStep): ResultKind {
  if (tool) return tool.step.result(options)
  const { eInvoice } = options as { eInvoice?: { format: string; output?: string } } // Only invoices have it.
  const isXml = eInvoice && (eInvoice.output ?? (eInvoice.format === 'factur-x' ? 'pdf' : 'xml')) === 'xml'
  return kind === 'invoice' && isXml ? 'xml' : 'pdf'
}

function findWrongFiles(
  tool: ToolDeclaration,
  inputs: readonly StepInput[],
  { steps, kinds, at }: { steps: readonly PreparedStep[]; kinds: readonly ResultKind[]; at: string },
): Problem[] {
  const accepts = tool.accepts ?? 'pdf'
  for (const input of inputs) {
    if (!('step' in input)) continue
    const kind = kinds[input.step] ?? 'pdf'
    const before = `steps[${input.step}] (${steps[input.step]?.id ?? ''})`
    if (!READS[accepts].includes(kind))
      return [
        {
          param: at,
          message: `${tool.id} reads ${WANTED[accepts]}, and ${before} results in ${KINDS[kind]}. ${adviceFor(kind)}`,
        },
      ]
    if (tool.files === 'one' && (kind === 'pdfs' || kind === 'images'))
      return [
        {
          param: at,
          message: `${tool.id} reads one file, and ${before} results in several. Put ${tool.id} before it, or join the files with ${kind === 'pdfs' ? 'merge-pdf' : 'images-to-pdf'} first.`,
        },
      ]
  }
  const hasList = inputs.some(input => 'step' in input && ['pdfs', 'images'].includes(kinds[input.step] ?? ''))
  const { least, most = Infinity } = tool.files === 'one' ? { least: 1, most: 1 } : (tool.fileCount ?? { least: 2 })
  const count = inputs.length
  if (count <= most && (count >= least || (hasList && count > 0))) return []
  const amount = least === most ? `exactly ${least}` : count < least ? `at least ${least}` : `at most ${most}`
  return [
    {
      param: `${at}.files`,
      message: `must have ${amount} file${amount.endsWith(' 1') ? '' : 's'} for ${tool.id}. Got ${count}.`,
    },
  ]
}

function adviceFor(kind: ResultKind): string {
  if (kind === 'encrypted-pdf') return 'Put protect-pdf last, or unlock-pdf in between.'
  if (kind === 'pdf') return 'Use protect-pdf before it, or another tool.'
  return kind === 'other' ? 'Put that step last.' : 'Use another tool, or put that step last.'
}

/** Asks the tool of each earlier step on the way to this one whether this step undoes its work. */
function findUndone(steps: readonly PreparedStep[], inputs: readonly StepInput[][], index: number): Problem[] {
  const later = steps[index]
  if (!later) return []
  const before = new Set<number>()
  const visit = (at: number): void => {
    for (const input of inputs[at] ?? []) {
      if (!('step' in input) || before.has(input.step)) continue
      before.add(input.step)
      visit(input.step)
    }
  }
  visit(index)
  return [...before].flatMap(at => {
    const { tool, options } = steps[at] as PreparedStep // `inputs` has positions of steps.
    const reason = tool?.step.refuses?.(options, { id: later.id, options: later.options })
    return reason === undefined ? [] : [{ param: `steps[${index}]`, message: `${later.id} ${reason}` }]
  })
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 60))
}
