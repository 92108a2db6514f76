-- What the nodes of a short run did, in one piece, until somebody looks at it.
ALTER TABLE "execution" ADD COLUMN "journal" TEXT;
