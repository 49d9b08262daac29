/** Pictures of this page that are still nobody's face: the service lists them with the unused files, and we do not show them there. */
export const picturesInHand = new Set<string>()
