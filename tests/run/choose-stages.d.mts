export function readArguments(args: readonly string[]): { scope: string; untilMs: number; names: string[] }
