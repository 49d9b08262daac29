/** Pictures of this page that are still nobody's picture: the service lists them with the unused files, and we do not show them there. */
export const picturesInHand = new Set<string>()
