export function listPatterns(path: string, text: string): { source: string; flags: string; line: number }[]
export function listLateChecks(path: string, text: string): { name: string; line: number }[]
