/**
 * From where on a take is worth filming again, the same for whoever films and for the checks of the file: the voice's level
 * in dBFS, and the mean of the picture's coded light from 0 to 255.
 */
export const takeLimits = { quietDb: -38, darkLight: 45, brightLight: 225 } as const
