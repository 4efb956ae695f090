/**
 * The two forms of an answer to a question of a person: JSON, and the text that {@code curl}, the command {@code berth}
 * and tickets show. The text of each answer is rendered beside the answer, from the same JSON. Entry point: {@link
 * io.berth.scheduler.answer.AnswerForm}.
 */
package io.berth.scheduler.answer;
