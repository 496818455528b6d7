/** The size of the slow tests: a part of the cases by default, all of them with the variable `TEST_SIZE=full`. */
export const isFullSize = process.env.TEST_SIZE === "full";
