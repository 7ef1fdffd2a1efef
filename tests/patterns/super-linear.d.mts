export function superLinearProblem(source: string, flags: string): string | undefined
