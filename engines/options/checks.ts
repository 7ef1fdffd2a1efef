import type * as z from 'zod'

/** Makes a check of a value for `superRefine`. `findProblem` returns what is wrong with the value, if anything. */
export function checked<Value>(
  findProblem: (value: Value) => string | undefined,
): (value: Value, context: z.RefinementCtx) => void {
  return (value, context) => {
    const message = findProblem(value)
    if (message) context.addIssue({ code: 'custom', message })
  }
}

/**
 * Returns a function that says what is wrong with an option, for `superRefine` of options that depend on each other. It
 * takes the name of the option, or its path with names and positions (from 0), and a message.
 */
export function blameIn(context: z.RefinementCtx): (option: string | (string | number)[], message: string) => void {
  return (option, message) => context.addIssue({ code: 'custom', path: [option].flat(), message })
}
