import { EngineError } from '../errors'
import type { Problem } from '../errors'
import type { PipelinePlan } from '../types'

/** The error of a step, with problems that name the step or the file of the request in place of the step's own fields. */
export function blameStep(error: EngineError, index: number, plan: PipelinePlan): EngineError {
  const problems = error.problems.map(problem => place(problem, index, plan))
  return new EngineError(error.reason, error.message, { problems, cause: error.cause ?? error })
}

function place({ param, message, ...others }: Problem, index: number, plan: PipelinePlan): Problem {
  const step = plan.steps[index]
  const at = `steps[${index}]`
  if (param === undefined) return { ...others, param: at, message: `${step?.id ?? ''}: ${message}` }
  const rest = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  const file = /^files?(?:\[(\d+)\])?$/.exec(param)
  if (file) {
    const input = step?.inputs[Number(file[1] ?? 0)]
    if (input && 'file' in input) return { ...others, param: `files[${input.file}]`, message: rest }
    return { ...others, param: at, message: `${step?.id ?? ''} can't read its file. ${rest}` }
  }
  const key = step?.kind === 'tool' ? param : `${step?.kind ?? ''}.${param}`
  const text = rest.startsWith(`${param} `) ? rest.slice(param.length + 1) : rest
  return { ...others, param: `${at}.${key}`, message: text }
}
