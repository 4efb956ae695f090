-- Numbers of writes to placement (its header Berth-Fence): whoever begins or takes over a record draws the next one, so a
-- write of a former owner has a lower number and is refused. Each draw stands for 65,536 numbers.
CREATE SEQUENCE fences MAXVALUE 100000000000000;

ALTER TABLE moves ADD COLUMN number bigint, ADD COLUMN first_number bigint NOT NULL DEFAULT 0;

-- unused since 0.0.0: no release had moves
ALTER TABLE moves DROP COLUMN token;
