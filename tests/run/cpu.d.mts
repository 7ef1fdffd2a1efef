export function readEndedCpuSeconds(): number | undefined
export function readCpu(pid: number | 'self'): { ownSeconds: number; endedSeconds: number; isBusy: boolean } | undefined
export function measureSlowness(): number
