export const ProjectPage = () => null
