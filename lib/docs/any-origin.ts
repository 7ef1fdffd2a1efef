/** Stands for the origin in texts that are written once and then used for all origins. */
export const ANY_ORIGIN = 'https://origin.invalid'
