export function summarize(results: object[]): { text: string; hasPassed: boolean }
