import { parse } from 'node:path'
import { safeFileName } from '../../typescript/src/file-name'
import type { Operation } from './catalog'
import { usualExtension } from './content-types'

/** The names that the file of a response may have, as far as they are known before the request. */
export interface ResultNames {
  /** The name with these options. Undefined if only the server knows it. */
  likely: string | undefined
  /** The likely name, with each extension that the endpoint can return. */
  possible: string[]
}

/** Predicts the name of a result. The server has the same rule (engines/tools/file-name.ts). */
export function predictNames(
  { suffix, responses, responseOptions }: Operation,
  { input, options }: { input: string | undefined; options: Record<string, unknown> },
): ResultNames {
  const { outputName } = options
  if (suffix === undefined || (input === undefined && outputName === undefined))
    return { likely: undefined, possible: [] }
  const stem = typeof outputName === 'string' ? parse(outputName).name : `${parse(input ?? '').name}-${suffix}`
  const nameOf = (type: string) => safeFileName(`${stem}${usualExtension(type) ?? ''}`)
  const isAsked = (type: string) =>
    Object.entries(responseOptions[type] ?? { '': '' }).every(([option, value]) => options[option] === value)
  return { likely: nameOf(responses.find(isAsked) ?? responses[0] ?? ''), possible: responses.map(nameOf) }
}
