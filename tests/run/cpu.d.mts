export function readEndedCpuSeconds(): number | undefined
export function measureSlowness(): number
